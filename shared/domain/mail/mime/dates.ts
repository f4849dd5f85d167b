/**
 * Dates of mail headers (RFC 5322, 3.3 and 4.3) and of mbox envelopes, without the surprises of Date.parse: a missing
 * or unknown zone is UTC, comments are removed, and dates before 1900 are refused.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ZONES: Record<string, number> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
};

const TIME = '(\\d{1,2})\\s*[:.]\\s*(\\d{2})(?:\\s*[:.]\\s*(\\d{2}))?(?:[.,]\\d+)?';
const ZONE = '((?:GMT|UTC?)?[+-]\\d{2}:?\\d{2}(?!\\d)|[a-z]{1,5}\\b)';
const RFC = new RegExp(
  `(?<!\\d)(\\d{1,2})[\\s-]+([a-z]{3})[a-z]*[\\s-]+(\\d{2,4})[\\s,]+${TIME}(?:\\s*${ZONE})?`,
  'i',
);
/** `Nov 17 21:28:37 2009`, with a zone before or after the year. */
const ASCTIME = new RegExp(
  `(?<![a-z])([a-z]{3})\\s+(\\d{1,2})\\s+${TIME}(?:\\s+${ZONE})?\\s+(\\d{4})(?!\\d)(?:\\s+${ZONE})?`,
  'i',
);
const ISO = new RegExp(`(?<!\\d)(\\d{4})-(\\d{2})-(\\d{2})(?:T|\\s+)${TIME}(?:\\s*${ZONE})?`, 'i');

/** Characters of a field that are searched for a date. */
const READ = 500;

/** The date of a header as ISO 8601 in UTC with milliseconds; null without one. */
export function isoDate(header: string): string | null {
  const text = withoutComments(header.slice(0, READ));
  return fromRfc(text) ?? fromAsctime(text) ?? fromIso(text);
}

/**
 * The date of a Received header: it follows the last semicolon (RFC 5321, 4.4). The text before that, and comments, may
 * come from a stranger.
 */
export function receivedDate(header: string): string | null {
  const text = withoutComments(header.slice(-READ));
  const semicolon = text.lastIndexOf(';');
  return semicolon === -1 ? null : isoDate(text.slice(semicolon + 1));
}

/** Comments nest, and may be anywhere between the words of a date (RFC 5322, A.5). */
function withoutComments(text: string): string {
  const rest = text.replace(/\([^()]*\)/g, ' ');
  return rest === text ? text : withoutComments(rest);
}

function fromRfc(text: string): string | null {
  const match = RFC.exec(text);
  if (!match) return null;
  const [, day, month, year, hour, minute, second, zone] = match;
  return moment([fullYear(year!), monthOf(month!), +day!, +hour!, +minute!, +(second ?? 0)], zone);
}

function fromAsctime(text: string): string | null {
  const match = ASCTIME.exec(text);
  if (!match) return null;
  const [, month, day, hour, minute, second, before, year, after] = match;
  return moment([+year!, monthOf(month!), +day!, +hour!, +minute!, +(second ?? 0)], before ?? after);
}

function fromIso(text: string): string | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, zone] = match;
  return moment([+year!, +month! - 1, +day!, +hour!, +minute!, +(second ?? 0)], zone);
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

const EARLIEST = Date.UTC(1900, 0, 1);
/** One year before the last with four digits, so that no zone leads out of them. */
const LAST_YEAR = 9998;

function moment([year, month, day, hour, minute, second]: Parts, zone: string | undefined): string | null {
  const fits = month >= 0 && month < 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second <= 60;
  if (!fits || year < 1900 || year > LAST_YEAR) return null;
  const local = Date.UTC(year, month, day, hour, minute, Math.min(second, 59));
  if (new Date(local).getUTCDate() !== day) return null;
  const utc = local - offset(zone) * 60_000;
  return utc < EARLIEST ? null : new Date(utc).toISOString();
}

const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

/** Two-digit and three-digit years count as RFC 5322 says. */
function fullYear(year: string): number {
  if (year.length === 2) return +year + (+year < 50 ? 2000 : 1900);
  return year.length === 3 ? +year + 1900 : +year;
}

/** Hours: no place on earth is this far from UTC, so the zone is nonsense. */
const TOO_FAR = 15;

/** Minutes east of UTC; unknown zones count as UTC (RFC 5322, 4.3). */
function offset(zone: string | undefined): number {
  const numeric = /([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '');
  if (!numeric) return (ZONES[(zone ?? '').toLowerCase()] ?? 0) * 60;
  const [, sign, hours, minutes] = numeric;
  if (+hours! >= TOO_FAR || +minutes! >= 60) return 0;
  return (sign === '-' ? -1 : 1) * (+hours! * 60 + +minutes!);
}
