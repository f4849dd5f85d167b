import type { Token } from './command.ts';
import type { ImapMessage } from './mailbox.ts';

/** What FETCH answers about a message (RFC 3501, 7.4.2). */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dateOf(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2, '0');
  return `"${day}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()} ${date.toISOString().slice(11, 19)} +0000"`;
}

export const flagsOf = ({ flags }: ImapMessage): string => `(${[...flags].join(' ')})`;

function headersOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return end < 0 ? raw : raw.subarray(0, end + 4);
}

function namedHeaders(raw: Buffer, names: string[]): Buffer {
  const lines = headersOf(raw)
    .toString('latin1')
    .split(/\r\n(?![ \t])/);
  const wanted = names.map((name) => name.toLowerCase());
  const found = lines.filter((line) =>
    wanted.includes(line.slice(0, line.indexOf(':')).trim().toLowerCase()),
  );
  return Buffer.from(`${found.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1');
}

function sectionOf(raw: Buffer, section: string): Buffer | undefined {
  const fields = /^HEADER\.FIELDS \((.*)\)$/i.exec(section);
  if (fields)
    return namedHeaders(
      raw,
      (fields[1] ?? '').split(' ').map((name) => name.replaceAll('"', '')),
    );
  const headers = headersOf(raw);
  return { '': raw, HEADER: headers, TEXT: raw.subarray(headers.length) }[section.toUpperCase()];
}

const BODY = /^BODY(\.PEEK)?\[(.*)\](?:<(\d+)\.(\d+)>)?$/i;

/** A section of the message, or a part of it. */
function bodyOf({ raw }: ImapMessage, [, , section = '', from, length]: RegExpExecArray): Buffer | undefined {
  const whole = sectionOf(raw, section);
  if (!whole) return undefined;
  const part = from === undefined ? whole : whole.subarray(Number(from), Number(from) + Number(length));
  const name = `BODY[${section.toUpperCase()}]${from === undefined ? '' : `<${from}>`}`;
  return Buffer.concat([Buffer.from(`${name} {${part.length}}\r\n`, 'latin1'), part]);
}

function itemOf(message: ImapMessage, item: string): Buffer | string | undefined {
  switch (item.toUpperCase()) {
    case 'UID':
      return `UID ${message.uid}`;
    case 'FLAGS':
      return `FLAGS ${flagsOf(message)}`;
    case 'INTERNALDATE':
      return `INTERNALDATE ${dateOf(message.received_at)}`;
    case 'RFC822.SIZE':
      return `RFC822.SIZE ${message.raw.length}`;
    case 'MODSEQ':
      return `MODSEQ (${message.modseq})`;
  }
  const body = BODY.exec(item);
  return body ? bodyOf(message, body) : undefined;
}

/** Whether reading it marks the message as read. */
export const marks = (items: readonly string[]): boolean =>
  items.some((item) => BODY.exec(item) !== null && !/^BODY\.PEEK/i.test(item));

export const itemsOf = (token: Token | undefined): string[] => {
  const items = (Array.isArray(token) ? token : [token ?? '']).map(String);
  return items.flatMap((item) =>
    item.toUpperCase() === 'FAST' ? ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'] : item,
  );
};

/** Undefined for items that it does not know. */
export function fetchedOf(
  number: number,
  message: ImapMessage,
  items: readonly string[],
): Buffer | undefined {
  const parts = items.map((item) => itemOf(message, item));
  if (parts.includes(undefined)) return undefined;
  const joined = (parts as (Buffer | string)[]).flatMap((part, i) => [i === 0 ? '' : ' ', part]);
  return Buffer.concat(
    [`* ${number} FETCH (`, ...joined, ')\r\n'].map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
    ),
  );
}
