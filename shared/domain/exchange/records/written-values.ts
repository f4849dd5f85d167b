/** How people and programs write dates, amounts and lists in files. What cannot be read stays as it is, to be refused. */

export const dateOrders = ['dmy', 'mdy'] as const;

export type DateOrder = (typeof dateOrders)[number];

/** What the file tells of the way in which its values are written. */
export interface Style {
  /** Of days and months with slashes; null when nothing tells it. */
  date_order: DateOrder | null;
  /** The decimal point is a comma. */
  comma: boolean;
}

const two = (digits: string) => digits.padStart(2, '0');

const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?=$|[ T,])/;

/** By the first value that only one order explains. */
export function dateOrderOf(values: Iterable<string>): DateOrder | null {
  for (const value of values) {
    const [, first, second] = SLASHED.exec(value.trim()) ?? [];
    if (first === undefined || second === undefined) continue;
    if (Number(first) > 12 && Number(second) <= 12) return 'dmy';
    if (Number(second) > 12 && Number(first) <= 12) return 'mdy';
  }
  return null;
}

function slashedDay(text: string, order: DateOrder | null): string | undefined {
  const [, first = '', second = '', year] = SLASHED.exec(text) ?? [];
  const known = dateOrderOf([text]) ?? order ?? (first === second ? 'dmy' : null);
  if (year === undefined || known === null) return undefined;
  const [day, month] = known === 'dmy' ? [first, second] : [second, first];
  return `${year}-${two(month)}-${two(day)}`;
}

/** `YYYY-MM-DD` from this, `31.12.2026`, `2026/12/31`, or with slashes in the order of the file. */
export function readDay(text: string, { date_order }: Style): string {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[ T,])/.exec(text);
  if (dotted) return `${dotted[3]}-${two(dotted[2] as string)}-${two(dotted[1] as string)}`;
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?=$|[ T,])/.exec(text);
  if (iso) return `${iso[1]}-${two(iso[2] as string)}-${two(iso[3] as string)}`;
  const basic = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (basic) return `${basic[1]}-${basic[2]}-${basic[3]}`;
  return slashedDay(text, date_order) ?? text;
}

const CLOCK = /^.*?\d[ T,]+(\d{1,2}):(\d{2})(?::\d{2})?(?:\.\d+)?\s*([ap]m)?$/i;

/** The clock time of a date with one, as `09:30`. */
export function readClock(text: string): string | undefined {
  const [, hour, minute, half] = CLOCK.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return `${two(String(hours))}:${minute}`;
}

/** As JavaScript writes numbers that are very large or small. */
const SCIENTIFIC = /^[+-]?\d+(\.\d+)?e[+-]?\d+$/i;

/** Characters of a number with its spaces and its currency. */
const LONGEST_NUMBER = 100;

/** Thousands, also as India groups them: three digits at the end, and nothing before a first digit of 0. */
const GROUPED = /^[+-]?[1-9]\d{0,2}([.,]\d{2,3})*[.,]\d{3}$/;

/**
 * Of two separators the last is the decimal one. A single one is, unless it groups digits: where the file writes decimals
 * with the other, or more than once.
 */
function decimalIn(digits: string, comma: boolean): ',' | '.' {
  const [commas, dots] = [digits.split(',').length - 1, digits.split('.').length - 1];
  if (commas > 0 && dots > 0) return digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.';
  const [own, other] = commas > 0 ? ([',', '.'] as const) : (['.', ','] as const);
  const isUsual = comma === (own === ',');
  return GROUPED.test(digits) && (!isUsual || commas + dots > 1) ? other : own;
}

/** What cannot be a number stays as it is. */
export function readNumber(text: string, { comma }: Style): number | string {
  if (text.length > LONGEST_NUMBER) return text;
  if (SCIENTIFIC.test(text) && Number.isFinite(Number(text))) return Number(text);
  const digits = text
    .replace('\u2212', '-')
    .replace(/^[^\d(+.,-]+|[^\d).,-]+$/g, '')
    .replace(/(?<=[.,])-+$/, '')
    .replace(/[\s\u00a0\u202f']/g, '');
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(digits)) return text;
  const decimal = decimalIn(digits, comma);
  const plain = digits.replaceAll(decimal === ',' ? '.' : ',', '').replace(decimal, '.');
  const value = Number(plain);
  return Number.isFinite(value) ? value : text;
}

/** The currency of an amount such as `€ 12.50`; undefined without a sign that only one currency has. */
export const currencyIn = (text: string): string | undefined =>
  /\b[A-Z]{3}\b/.exec(text)?.[0] ?? (text.includes('€') ? 'EUR' : text.includes('£') ? 'GBP' : undefined);

const nonEmpty = (parts: string[]) => parts.map((part) => part.trim()).filter((part) => part !== '');

/** Between the values of one cell, as Google writes them. Longer runs of colons are part of a value. */
const COLONS = /(?<!:):::(?!:)/;

/** Nothing else divides a cell with `:::`, in which a run of more colons has one too many. */
const divided = (text: string, others: RegExp): string[] =>
  COLONS.test(text)
    ? nonEmpty(text.split(COLONS).map((part) => part.replace(/:{4,}/g, (run) => run.slice(1))))
    : nonEmpty(text.split(others));

/** Several values in one cell. */
export const several = (text: string): string[] => divided(text, /[;\n]/);

export const severalWithCommas = (text: string): string[] => divided(text, /[;,\n]/);

/** Values as one cell, which is read as the same values: a single one that could be divided has `:::` behind it. */
export function inOneCell(values: string[]): string {
  const [first = ''] = values;
  if (values.length <= 1 && !/[;,\n]|:::/.test(first)) return first;
  const text = values.map((value) => value.replace(/:{3,}/g, '$&:')).join(' ::: ');
  return values.length === 1 ? `${text} :::` : text;
}

/** What begins a formula in spreadsheets, or is a cell with one: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A cell as exports write it: what would begin a formula has an apostrophe before it. */
export const escaped = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** The same cell as it was. */
export const unescaped = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
