/** Dates of mail headers (RFC 5322, 3.3 and 4.3), without the surprises of Date.parse: no zone means UTC. */

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

const RFC =
  /(\d{1,2})[\s-]+([a-z]{3})[a-z]*[\s-]+(\d{2,4})[\s,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\.\d+)?\s*([+-]\d{4}|[a-z]{1,5})?/i;
const ASCTIME = /([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+(\d{4})/i;
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(?:([+-]\d{2}):?(\d{2})|Z)?$/i;

/** The moment a header date names as ISO 8601 in UTC with milliseconds; null when it names none. */
export function isoDate(header: string): string | null {
  const text = header.slice(0, 200).trim();
  return fromRfc(text) ?? fromAsctime(text) ?? fromIso(text);
}

function fromRfc(text: string): string | null {
  const match = RFC.exec(text);
  if (!match) return null;
  const [, day, month, year, hour, minute, second, zone] = match;
  return moment([fullYear(year!), monthOf(month!), +day!, +hour!, +minute!, +(second ?? 0)], offset(zone));
}

function fromAsctime(text: string): string | null {
  const match = ASCTIME.exec(text);
  if (!match) return null;
  const [, month, day, hour, minute, second, year] = match;
  return moment([+year!, monthOf(month!), +day!, +hour!, +minute!, +(second ?? 0)], 0);
}

function fromIso(text: string): string | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, zoneHour, zoneMinute] = match;
  const zone = zoneHour ? offset(`${zoneHour}${zoneMinute}`) : 0;
  return moment([+year!, +month! - 1, +day!, +hour!, +minute!, +(second ?? 0)], zone);
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function moment([year, month, day, hour, minute, second]: Parts, offsetMinutes: number): string | null {
  const fits = month >= 0 && month < 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second <= 60;
  if (!fits || year < 1970 || year > 9998) return null;
  const local = Date.UTC(year, month, day, hour, minute, Math.min(second, 59));
  if (new Date(local).getUTCDate() !== day) return null;
  const utc = local - offsetMinutes * 60_000;
  return utc < 0 ? null : new Date(utc).toISOString();
}

const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

/** Two-digit and three-digit years count as RFC 5322 says. */
function fullYear(year: string): number {
  if (year.length === 2) return +year + (+year < 50 ? 2000 : 1900);
  return year.length === 3 ? +year + 1900 : +year;
}

/** Minutes east of UTC; unknown zones count as UTC (RFC 5322, 4.3). */
function offset(zone: string | undefined): number {
  const numeric = /^([+-])(\d{2})(\d{2})$/.exec(zone ?? '');
  if (!numeric) return (ZONES[(zone ?? '').toLowerCase()] ?? 0) * 60;
  const minutes = +numeric[2]! * 60 + +numeric[3]!;
  return numeric[1] === '-' ? -minutes : minutes;
}
