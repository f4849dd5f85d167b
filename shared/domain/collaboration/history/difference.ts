import { isDeepStrictEqual } from 'node:util';

/** What changed between two values of a field, so short that many changes make a page. */

/** Characters of a text. */
export const MOST_OF_TEXT = 1_000;
/** Characters of a list or an object, as JSON. */
export const MOST_OF_LIST = 2_000;

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
  /** Something was too long to be kept. */
  cut: boolean;
}

interface Kept {
  value: unknown;
  cut: boolean;
}

const whole = (value: unknown): Kept => ({ value, cut: false });

function keptText(text: string): Kept {
  if (text.length <= MOST_OF_TEXT) return whole(text);
  // A pair of surrogates stays one character.
  return {
    value: text
      .slice(0, MOST_OF_TEXT)
      .toWellFormed()
      .replace(/\ufffd$/, ''),
    cut: true,
  };
}

/** The first parts that fit together. */
function first<T>(parts: T[]): T[] {
  let left = MOST_OF_LIST;
  const end = parts.findIndex((part) => {
    left -= JSON.stringify(part).length;
    return left < 0;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

/** Its texts first, then what does not fit. */
function kept(value: unknown): Kept {
  if (typeof value === 'string') return keptText(value);
  if (typeof value !== 'object' || value === null) return whole(value ?? null);
  const entries = Object.entries(value).map(([key, part]) => ({ key, ...kept(part) }));
  const parts = first(entries);
  const cut = parts.length < entries.length || parts.some((part) => part.cut);
  if (Array.isArray(value)) return { value: parts.map((part) => part.value), cut };
  return { value: Object.fromEntries(parts.map((part) => [part.key, part.value])), cut };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const missingIn = (all: unknown[], others: unknown[]) =>
  all.filter((each) => !others.some((other) => isDeepStrictEqual(each, other)));

const otherIn = (all: Record<string, unknown>, others: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(all).filter(([key, value]) => !isDeepStrictEqual(value, others[key])));

/** Of lists the entries that went and those that came, of objects the keys with other values. */
function narrowed(before: unknown, after: unknown): [unknown, unknown] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const both: [unknown[], unknown[]] = [missingIn(before, after), missingIn(after, before)];
    // In another order, or with a repeated entry more.
    return both.every(({ length }) => length === 0) ? [before, after] : both;
  }
  return isObject(before) && isObject(after)
    ? [otherIn(before, after), otherIn(after, before)]
    : [before, after];
}

type Values = Readonly<Record<string, unknown>>;

/** The changed fields, in their order. */
export function changesBetween(before: Values, after: Values): Change[] {
  return Object.keys(after).flatMap((field): Change[] => {
    if (isDeepStrictEqual(before[field], after[field])) return [];
    const [was, is] = narrowed(before[field], after[field]).map(kept) as [Kept, Kept];
    return [{ field, before: was.value, after: is.value, cut: was.cut || is.cut }];
  });
}
