import { isDeepStrictEqual } from 'node:util';

/** Three states of a value: before a merge, after it, and now. */
export interface States<T> {
  before: T;
  after: T;
  now: T;
}

/** What nobody has changed since the merge is as it was before; anything else stays. */
export const undone = <T>({ before, after, now }: States<T>): T =>
  isDeepStrictEqual(now, after) ? before : now;

type Values<V> = Readonly<Record<string, V>>;

/** The same for each key; undefined is a missing one. */
export function undoneByKey<V>({ before, after, now }: States<Values<V>>): Record<string, V> {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = undone({ before: before[name], after: after[name], now: now[name] });
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

interface Entry {
  id: string;
  primary?: boolean;
}

const withoutPrimary = <T extends Entry>({ primary: _, ...rest }: T) => rest;

const isSame = (a: Entry, b: Entry) => isDeepStrictEqual(withoutPrimary(a), withoutPrimary(b));

/** One of several is the primary one: the one that was, if no other is. */
function withPrimary<T extends Entry>(entries: T[], before: T[]): T[] {
  const [first] = entries;
  if (first?.primary === undefined || entries.some(({ primary }) => primary)) return entries;
  const was = before.find(({ primary }) => primary)?.id;
  const chosen = entries.find(({ id }) => id === was) ?? first;
  return entries.map((entry) => (entry === chosen ? { ...entry, primary: true } : entry));
}

/**
 * The entries of a list: those that came by the merge go, and labels that came with them. Changed ones stay, unless they
 * are `lost`.
 */
export function undoneEntries<T extends Entry>(
  { before, after, now }: States<T[]>,
  lost: (entry: T) => boolean = () => false,
): T[] {
  const [own, merged] = [before, after].map((entries) => new Map(entries.map((each) => [each.id, each])));
  const left = now.flatMap((entry) => {
    const [mine, was] = [own?.get(entry.id), merged?.get(entry.id)];
    if (lost(entry)) return [];
    if (!was || !isSame(entry, was)) return [entry];
    return mine ? [{ ...mine, ...('primary' in entry ? { primary: entry.primary } : {}) }] : [];
  });
  return withPrimary(left, before);
}
