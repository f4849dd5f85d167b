import type { FetchMessageObject, FetchQueryObject, ImapFlow, StatusObject } from 'imapflow';
import type { FolderState, ServedCopy, Uids } from '#shared/domain/mail/servers/server.ts';
import { BadAnswer } from './imap-failures.ts';

/** What is read of folders and messages. Nothing here marks a message as read. */

/** Bytes of a message that one answer brings: a server of 17 kB a second has the time for them. */
const PART = 1 << 20;
/** Messages that claim one Message-ID; more is an attack on who looks for it. */
const MOST_CANDIDATES = 200;

type Described = Pick<StatusObject, 'messages' | 'uidNext' | 'uidValidity' | 'highestModseq'>;

function stateFrom({ messages, uidNext, uidValidity, highestModseq }: Described): FolderState {
  if (messages === undefined || uidNext === undefined || uidValidity === undefined)
    throw new BadAnswer('The server does not describe the folder');
  return {
    ...{ uidvalidity: String(uidValidity), uidnext: uidNext, messages },
    modseq: highestModseq ? String(highestModseq) : null,
  };
}

export async function stateOf(client: ImapFlow, path: string): Promise<FolderState | false> {
  const asked = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };
  const status = await client.status(path, asked);
  return status && stateFrom(status);
}

/** Of the folder that was just opened: STATUS is for others (RFC 3501, 6.3.10). */
export function stateOfOpen({ mailbox }: ImapFlow): FolderState | false {
  if (!mailbox) return false;
  const { exists, noModseq, highestModseq, ...known } = mailbox;
  return stateFrom({ ...known, messages: exists, ...(highestModseq && !noModseq ? { highestModseq } : {}) });
}

/** Answers may bring other messages too, whose flags were changed meanwhile. */
async function* fetched(client: ImapFlow, range: string, query: FetchQueryObject, since?: string) {
  const options = { uid: true, ...(since === undefined ? {} : { changedSince: BigInt(since) }) };
  for await (const message of client.fetch(range, { uid: true, ...query }, options))
    if (message.uid) yield message;
}

const dateOf = (date: FetchMessageObject['internalDate']): Date | null => {
  const known = new Date(date ?? Number.NaN);
  return Number.isNaN(known.getTime()) ? null : known;
};

export async function copiesIn(
  client: ImapFlow,
  { from, to }: Uids,
  since: string | undefined,
  heard: () => void,
): Promise<ServedCopy[]> {
  if (client.mailbox && client.mailbox.exists === 0) return [];
  const copies = new Map<number, ServedCopy>();
  const query = { flags: true, size: true, internalDate: true };
  for await (const { uid, flags, size, internalDate } of fetched(
    client,
    `${from}:${to ?? '*'}`,
    query,
    since,
  )) {
    heard();
    // `*` is the last message, even before `from`.
    if (uid < from || uid > (to ?? Number.POSITIVE_INFINITY)) continue;
    const before = copies.get(uid);
    copies.set(uid, {
      uid,
      size: size ?? before?.size ?? 0,
      seen: flags?.has('\\Seen') ?? before?.seen ?? false,
      flagged: flags?.has('\\Flagged') ?? before?.flagged ?? false,
      ...((flags?.has('\\Draft') ?? before?.draft) ? { draft: true } : {}),
      received_at: dateOf(internalDate) ?? before?.received_at ?? null,
    });
  }
  return [...copies.values()].sort((a, b) => a.uid - b.uid);
}

/** A part of a message; undefined when it is gone. */
async function readPart(
  client: ImapFlow,
  uid: number,
  start: number,
  length: number,
): Promise<Buffer | undefined> {
  let there = false;
  const source = start === 0 ? { maxLength: length } : { start, maxLength: length };
  for await (const message of fetched(client, String(uid), { source })) {
    if (message.uid !== uid) continue;
    there = true;
    if (message.source) return message.source.subarray(0, length);
  }
  if (there) throw new BadAnswer('The server does not give the message');
  return undefined;
}

export async function readMessage(
  client: ImapFlow,
  uid: number,
  most: number,
  heard: () => void,
): Promise<{ raw: Uint8Array | undefined }> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const wanted = Math.min(PART, most - length);
    const part = await readPart(client, uid, length, wanted);
    heard();
    if (!part && length === 0) return { raw: undefined };
    if (!part) throw new BadAnswer('The message went while it was read');
    parts.push(part);
    length += part.length;
    if (part.length < wanted) break;
  }
  return { raw: parts.length === 1 ? parts[0] : Buffer.concat(parts) };
}

const idIn = (headers: Buffer | undefined): string | undefined =>
  /<([^<>]*)>/.exec((headers?.toString('utf8') ?? '').replace(/\r?\n[ \t]+/g, ''))?.[1]?.trim();

/** Searching is by parts of values (RFC 3501, 6.4.4): what is found is compared. */
export async function findMessage(client: ImapFlow, message_id: string): Promise<number[] | false> {
  if (!client.mailbox || client.mailbox.exists === 0) return [];
  const found = await client.search({ header: { 'Message-ID': `<${message_id}>` } }, { uid: true });
  if (!Array.isArray(found)) return false;
  if (found.length === 0) return [];
  const uids: number[] = [];
  const candidates = found.slice(-MOST_CANDIDATES);
  for await (const { uid, headers } of fetched(client, candidates.join(','), { headers: ['Message-ID'] }))
    if (candidates.includes(uid) && idIn(headers) === message_id) uids.push(uid);
  return uids.sort((a, b) => a - b);
}
