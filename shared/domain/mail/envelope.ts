import { isoDate } from './dates.ts';

/**
 * The `From ` lines that part the messages of an mbox (RFC 4155, appendix A).
 *
 * Body text may also begin a line with "From ", so the whole shape counts: a sender (one word, `-`, or the list
 * archives' `user at host`) and then a date with weekday, month, day, time and year, nothing else but a zone. Seen in
 * the wild and accepted: asctime (`Tue Nov 17 21:28:37 2009`), with a zone before or after the year (Google
 * Takeout), and RFC 5322 order (`Tue, 17 Nov 2009 21:28:37 +0600`).
 */
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d{1,2}:\\d{2}(?::\\d{2})?';
const ZONE = '(?:[A-Z]{1,5}|[+-]\\d{4})(?: \\([A-Za-z ]{1,30}\\))?';
const SENDER = '(?:[^ ]+(?: +at +[^ ]+)? +| *)';
const ASCTIME = `${WEEKDAY} +${MONTH} +\\d{1,2} +${TIME}(?: +${ZONE})? +\\d{4}(?: +${ZONE})?`;
const RFC = `${WEEKDAY} +\\d{1,2} +${MONTH} +\\d{4} +${TIME}(?: +${ZONE})?`;
const ENVELOPE = new RegExp(`^From ${SENDER}(?:${ASCTIME}|${RFC})(?: +remote from [^ ]+)?[ \\t]*$`);

/** Longest line that can be an envelope, in bytes. */
export const MAX_ENVELOPE = 1000;

/** True when a line (with or without its line break) parts two messages. */
export function isEnvelope(line: Uint8Array): boolean {
  if (line.length > MAX_ENVELOPE || line[0] !== 70 || line[4] !== 32) return false;
  return ENVELOPE.test(
    Buffer.from(line.buffer, line.byteOffset, line.length)
      .toString('latin1')
      .replace(/\r?\n?$/, ''),
  );
}

/** Dates that programs write where they know none: git's patches, and the epoch. */
const PLACEHOLDERS = ['2001-09-17T00:00:00.000Z', '1970-01-01T00:00:00.000Z'];

/** The moment that an envelope line names, ISO 8601 in UTC; null when it names none. */
export function envelopeDate(line: Uint8Array): string | null {
  const text = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, MAX_ENVELOPE)).toString(
    'latin1',
  );
  const date = isoDate(text.slice(text.indexOf(' ') + 1));
  return date === null || PLACEHOLDERS.includes(date) ? null : date;
}
