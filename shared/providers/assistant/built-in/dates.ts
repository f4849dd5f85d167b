/** Days that a text names, as it names them. */

const MONTHS = [
  'jan(?:uary|uar|vier)?|enero',
  'feb(?:ruary|ruar)?|fevrier|février|febrero',
  'mar(?:ch|s)?|märz|marzo',
  'apr(?:il)?|avril|abril',
  'may|mai|mayo',
  'june?|juni|juin|junio',
  'july?|juli|juillet|julio',
  'aug(?:ust)?|août|agosto',
  'sept?(?:ember)?|septembre|septiembre',
  'oct(?:ober)?|oktober|octobre|octubre',
  'nov(?:ember)?|novembre|noviembre',
  'dec(?:ember)?|dezember|décembre|diciembre',
];
const MONTH = `(?:${MONTHS.join('|')})`;
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const NOT_IN_WORD = '(?![\\p{L}\\p{N}])';

const ISO = '(?<iso>\\d{4}-\\d{2}-\\d{2})';
const DAY_FIRST = `(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)? (?:of |de )?(?<month>${MONTH})\\.?${NOT_IN_WORD}(?:,? (?<year>\\d{4}))?`;
const MONTH_FIRST = `(?<month2>${MONTH})\\.? (?<day2>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (?<year2>\\d{4}))?`;
const CJK = '(?<month3>\\d{1,2})月(?<day3>\\d{1,2})日';
const RELATIVE = `(?:today|tonight|tomorrow(?: (?:morning|afternoon|evening|night))?|(?:the )?(?:end|middle|beginning|first) of (?:the|this|next) (?:week|month|quarter|year)|(?:this|next) (?:week|month|quarter|year|${WEEKDAY})|in (?:a|two|three|four|five|six|\\d{1,2}) (?:days?|weeks?|months?))`;
const NAMED = `(?:${WEEKDAY},? )?(?:${ISO}|${DAY_FIRST}|${MONTH_FIRST})`;

const SPACED = `(?<![\\p{L}\\p{N}])(?:${NAMED}|${RELATIVE}|${WEEKDAY})${NOT_IN_WORD}`;
const MENTION = new RegExp(`${SPACED}|${CJK}`, 'giu');

export interface DateMention {
  phrase: string;
  /** YYYY-MM-DD; null where the text leaves it open. */
  day: string | null;
  /** The text sets it as a limit. */
  deadline: boolean;
}

const LIMIT_BEFORE =
  /\b(?:by|before|until|till|due(?: on)?|no later than|not later than|latest|deadline(?: is)?:?|bis)(?: the)? $/i;
const LIMIT_AFTER = /^[,]? (?:at the latest|is the deadline|latest)/i;
const LIMIT = /\b(?:deadline|payable|expires?|overdue)\b/i;

/** `written` is when: a day without a year is the closest one. */
export function datesIn(sentence: string, written: string): DateMention[] {
  return [...sentence.slice(0, 2000).matchAll(MENTION)].slice(0, 10).map((match) => {
    const before = sentence.slice(Math.max(0, match.index - 24), match.index);
    const after = sentence.slice(match.index + match[0].length, match.index + match[0].length + 20);
    return {
      phrase: match[0],
      day: dayOf(match, written),
      deadline: LIMIT_BEFORE.test(before) || LIMIT_AFTER.test(after) || LIMIT.test(sentence),
    };
  });
}

const DAY = 86_400_000;

function dayOf(match: RegExpExecArray, written: string): string | null {
  const { iso, day, day2, day3, month, month2, month3, year, year2 } = match.groups ?? {};
  if (iso) return calendarDay(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)), Number(iso.slice(8)));
  const number = Number(day ?? day2 ?? day3);
  if (!number) return null;
  const named = month ?? month2;
  const which = named ? monthNumber(named) : Number(month3);
  const stated = year ?? year2;
  if (stated) return calendarDay(Number(stated), which, number);
  const at = Date.parse(written);
  if (Number.isNaN(at)) return null;
  const around = new Date(at).getUTCFullYear();
  const near = [around - 1, around, around + 1].flatMap((each) => calendarDay(each, which, number) ?? []);
  return near.sort((a, b) => distance(a, at) - distance(b, at))[0] ?? null;
}

function distance(day: string, moment: number): number {
  const ahead = Date.parse(day) - moment;
  // Mail refers to future dates more often than to dates half a year ago.
  return ahead >= -120 * DAY ? Math.abs(ahead) : Math.abs(ahead) + 365 * DAY;
}

function monthNumber(name: string): number {
  return MONTHS.findIndex((pattern) => new RegExp(`^(?:${pattern})$`, 'iu').test(name)) + 1;
}

/** Null for days that are not on the calendar. */
function calendarDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const fits = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 1000;
  return fits ? date.toISOString().slice(0, 10) : null;
}
