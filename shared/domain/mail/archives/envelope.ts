import { isoDate } from '#shared/domain/mail/mime/dates.ts';

/**
 * The `From ` lines that separate the messages of an mbox. No standard defines them: RFC 4155 describes one form, and
 * programs write a sender, a date, both or neither. The reasons are in docs/decisions/0020-mbox-dialects.md.
 */
const WEEKDAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +)?';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const DAY = '\\d{1,2}';
const YEAR = '(?:\\d{4}|\\d{2})';
const TIME = '\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?';
const ZONE = '(?:(?:GMT|UTC?)?[+-]\\d{2}:?\\d{2}|[A-Z]{1,5})(?: \\([^()]{1,60}\\))?';
const DATE = [
  `${MONTH} +${DAY} +${TIME}(?: +${ZONE})? +${YEAR}(?: +${ZONE})?`,
  `${MONTH} +${DAY},? +\\d{4} +${TIME}(?: +${ZONE})?`,
  `${DAY}[ -]+${MONTH}[ -]+${YEAR} +${TIME}(?: +${ZONE})?`,
  `\\d{4}-\\d{2}-\\d{2}[T ] *${TIME} *(?:${ZONE})?`,
].join('|');
const END = '(?: +remote from [^ ]+)?[ \\t]*$';
const DATED = new RegExp(`^From (?:.* )?${WEEKDAY}(?:${DATE})${END}`);
/** As most programs write it: the sender is one word, nothing, or the `user at host` of list archives. */
const USUAL = new RegExp(`^From (?:[^ ]+(?: +at +[^ ]+)? +| *)${WEEKDAY}(?:${DATE})${END}`);
/** No date: nothing, a dash, or an address. */
const BARE = /^From (?:-|<?[^\s@<>:,;]+@[^\s@<>:,;]+>?|<>)?[ \t]*$/;
const PROSE = /[.,:;!?][ \t]*$/;

/** Longest line that can be an envelope, in bytes. */
export const MAX_ENVELOPE = 1000;

/** What must follow a line for it to separate two messages (header-block.ts). */
export type Below = 'anything' | 'some header' | 'a whole header';

/**
 * What must follow a line (with or without its line break) for it to separate two messages; null when it is always
 * text.
 */
export function neededBelow(line: Uint8Array, afterBlank: boolean): Below | null {
  if (line.length > MAX_ENVELOPE || !startsLikeEnvelope(line)) return null;
  const text = textOf(line);
  if (afterBlank && USUAL.test(text)) return 'anything';
  if (DATED.test(text)) return 'some header';
  if (BARE.test(text)) return afterBlank ? 'some header' : 'a whole header';
  return afterBlank && !PROSE.test(text) ? 'a whole header' : null;
}

const FROM = Buffer.from('From ');
const BOM = Buffer.from('\ufeff');

/** Ignores a byte order mark: mbox files are also concatenated from files that begin with one. */
export function startsLikeEnvelope(line: Uint8Array): boolean {
  const start = line[0] === BOM[0] ? BOM.length : 0;
  return line[start] === FROM[0] && FROM.every((byte, index) => line[start + index] === byte);
}

/** Placeholder dates of programs that know none: git's patches, and the epoch. */
const PLACEHOLDERS = ['2001-09-17T00:00:00.000Z', '1970-01-01T00:00:00.000Z'];

/** The date in an envelope line, ISO 8601 in UTC; null when it has none. */
export function envelopeDate(line: Uint8Array): string | null {
  const date = isoDate(textOf(line.subarray(0, MAX_ENVELOPE)).slice('From '.length));
  return date === null || PLACEHOLDERS.includes(date) ? null : date;
}

const textOf = (line: Uint8Array) =>
  Buffer.from(line.buffer, line.byteOffset, line.length)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .replace(/\r?\n?$/, '');
