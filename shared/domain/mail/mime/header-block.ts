import type { Below } from '#shared/domain/mail/archives/envelope.ts';

/** Bytes inspected after an envelope. Real headers are longer, but their first fields suffice. */
export const LOOK_AHEAD = 16 * 1024;

/** Header fields of mail. Text has lines with colons too, but seldom these, and never `X-` ones. */
const KNOWN = new Set(
  (
    'return-path received delivered-to envelope-to from sender reply-to to cc bcc date subject message-id ' +
    'in-reply-to references mime-version content-type content-transfer-encoding content-length ' +
    'content-disposition lines status list-id list-unsubscribe list-post precedence errors-to organization ' +
    'newsgroups path user-agent importance authentication-results dkim-signature arc-seal auto-submitted'
  ).split(' '),
);
/** Fields of programs and servers, which are rarely in quoted headers. */
const OF_MACHINES = ['received', 'message-id', 'return-path', 'mime-version'];

export interface HeaderBlock {
  /** The known fields before the first line that is not a field, in lower case. */
  names: Set<string>;
  /** The header ends with a blank line, with the text, or not within `LOOK_AHEAD`. */
  ends: boolean;
  /** It ends with a blank line: all its fields are known. */
  whole: boolean;
}

/** The header at the beginning of a text. */
export function headerBlock(bytes: Uint8Array): HeaderBlock {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('\n');
  const names = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (line === '' || line === '\r') return { names, ends: true, whole: index > 0 };
    const name = /^([!-9;-~]{1,100})[ \t]*:/.exec(line)?.[1]?.toLowerCase();
    if (name === undefined && !isPartOfHeader(line, index) && index < lines.length - 1) {
      return { names, ends: false, whole: false };
    }
    if (name !== undefined && (KNOWN.has(name) || name.startsWith('x-'))) names.add(name);
  }
  return { names, ends: true, whole: false };
}

/** A continuation line, or the envelope of a mailbox that the message was in before. */
const isPartOfHeader = (line: string, index: number) =>
  index === 0 ? /^>?From /.test(line) : /^(?:[ \t]|>From )/.test(line);

export function isEnough({ names, ends }: HeaderBlock, needed: Below): boolean {
  if (needed === 'anything') return true;
  if (needed === 'some header') return names.size > (ends ? 0 : 1);
  return names.size > 2 && names.has('from') && OF_MACHINES.some((name) => names.has(name));
}
