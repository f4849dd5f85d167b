import type { RecordRef } from './kind.ts';

/** What came under a record by merges says by way of which records, so that each merge can be taken back. */

/** Ids of merged records, separated by spaces, the first one first; empty for what is the record's own. */
type Way = string;

export interface Came {
  /** Missing for what is the record's own alone. Several ways: merged records had the same. */
  came_by?: Way[];
  /** What those of several said that are not shown, by their ways. */
  aside?: Record<Way, unknown>;
}

/** A record that ends. `by`: itself and those on the way to the one that survives, if the merge can be taken back. */
export type Passing = RecordRef & { by?: string[] };

/** None for what is not there. */
const waysOf = (item: object | undefined): Way[] => (item ? ((item as Came).came_by ?? ['']) : []);

const asideOf = (item: object | undefined) => (item as Came | undefined)?.aside ?? {};

/** The ways after a merge. */
const arriving = (ways: Way[], by: string[]): Way[] =>
  ways.map((way) => [...(way ? [way] : []), ...by].join(' '));

/** Only what is not the record's own. */
function stored(ways: Way[], all: Record<Way, unknown>): Came {
  const came_by = [...new Set(ways)];
  const aside = Object.entries(all).filter(([way, value]) => value !== undefined && came_by.includes(way));
  return {
    ...(came_by.some((way) => way !== '') ? { came_by } : {}),
    ...(aside.length > 0 ? { aside: Object.fromEntries(aside) } : {}),
  };
}

/** When something comes to a record that may have the same already, as `there`. `said` is what it says itself. */
export function joined(there: object | undefined, coming: object, by: string[], said?: unknown): Came {
  const ways = waysOf(coming);
  const told = ways.map((way, i) => asideOf(coming)[way] ?? (i === 0 && there ? said : undefined));
  const after = arriving(ways, by);
  const aside = Object.fromEntries(after.map((way, i) => [way, told[i]]));
  return stored([...waysOf(there), ...after], { ...asideOf(there), ...aside });
}

/** Whether it is the record's own, as the first of its ways. */
export const isOwn = (item: object) => waysOf(item)[0] === '';

/** When two that are under one record become one there. `said` is what the one says itself that is not shown. */
export function united(shown: object, other: object, said: unknown): Came {
  const [first] = waysOf(other);
  const more = waysOf(other).filter((way) => !waysOf(shown).includes(way));
  const told = more.map((way) => [way, way === first ? said : asideOf(other)[way]]);
  return stored([...waysOf(shown), ...more], { ...asideOf(shown), ...Object.fromEntries(told) });
}

const endsWith = (way: Way, id: string) => way === id || way.endsWith(` ${id}`);

export interface Parted {
  /** What stays; undefined for nothing. */
  stays: Came | undefined;
  /** What that says itself, if the other record takes what was shown. */
  left: unknown;
  /** What is the other record's again. */
  back: Came;
  /** What that one said itself, if it was not shown. */
  said: unknown;
}

/** When the merge of a record is taken back. */
export function parted(item: object, id: string): Parted {
  const [stays, gone] = [
    waysOf(item).filter((way) => !endsWith(way, id)),
    waysOf(item).filter((way) => endsWith(way, id)),
  ];
  const back = gone.map((way) => way.slice(0, -id.length).trimEnd());
  const [said, ...others] = gone.map((way) => asideOf(item)[way]);
  const aside = Object.fromEntries(back.slice(1).map((way, i) => [way, others[i]]));
  const [first] = stays;
  const { [first ?? '']: own, ...staying } = asideOf(item);
  return {
    stays: first === undefined ? undefined : stored(stays, staying),
    left: first === undefined ? undefined : own,
    back: stored(back, aside),
    said,
  };
}

/** Whether it came under its record by way of this one last. */
export const cameBy = (item: object, id: string) => waysOf(item).some((way) => endsWith(way, id));

/** The ways of an item without the rest of it. */
export const waysAlone = ({ came_by, aside }: Came): Came => ({
  ...(came_by ? { came_by } : {}),
  ...(aside ? { aside } : {}),
});

/** An item without its ways. */
export function withoutWays<T extends object>(item: T): T {
  const { came_by: _, aside: __, ...rest } = item as T & Came;
  return rest as unknown as T;
}
