import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Clauses } from '#shared/domain/platform/postings/conjunction.ts';
import { MOST_RANGES, narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { Bounds, OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import { type AllOf, both, type Test } from '#shared/table/table.ts';
import type { Criterion } from './criteria.ts';
import {
  ALL,
  asideOf,
  listName,
  prefixes,
  type RecordIndex,
  textList,
  titleList,
  wordList,
} from './entry.ts';
import { sizesAtEnds, sizesByTime } from './period-sizes.ts';
import { common, listsOfWindow, type Window } from './periods.ts';

/** How the records that match all criteria are found in one order. */

/** The longest terms are looked up in lists; further terms are checked on the records found. */
const MAX_TERMS = 4;

/** Characters of a term by which lists decide alone: postings have the beginnings of long words. */
const WHOLE = 64;

const lengthOf = ([term = '']: string[]) => term.length;

const longestFirst = (terms: string[][]) => terms.toSorted((a, b) => lengthOf(b) - lengthOf(a));

/** Lists of the account, of the caller for what not everyone sees, and of mailboxes for what is linked to their mail. */
export const ownersFor = <R extends GuardedItem>(
  { caller: { account, user } }: CallerContext,
  index: RecordIndex<R>,
) => [account.id, user.id, ...(index.audience ? Object.keys(user.mailboxes) : [])];

/** A plan to read in one order. */
export interface Plan {
  clauses: Clauses<OwnedRange>;
  /** Whether the records in all clauses are exactly those that match. */
  exact: boolean;
}

/** How one order is read. */
interface Scope {
  order: string;
  /** The order has only the list of everything. */
  is_narrow: boolean;
  /** Periods have lists in this order. */
  has_periods: boolean;
  /** The lists of a word in this order; none in most. */
  words: ((prefix: string) => string)[];
  owners: string[];
  user_id: string;
  /** The lists that have what a list of this name says. */
  named(list: string): string[];
}

interface Part {
  clauses?: Clauses<OwnedRange>;
  bounds?: Bounds;
  /** Of the postings in the list of everything: where that is read, they are exactly those that match. */
  noted?: Noted;
  window?: Window;
  exact: boolean;
}

type Noted = AllOf<Posting>;

/** The lists of a word, which most orders have none of: the search over all records has some in an order of its own. */
export function listsOfWord<R extends GuardedItem>({ words_by, found_by }: RecordIndex<R>, order: string) {
  if (order === words_by) return [wordList];
  return order === found_by ? [titleList, textList] : [];
}

function ofTerms({ owners, named, words }: Scope, terms: string[][]): Part {
  const listsOf = (prefix: string) => words.flatMap((list) => named(list(prefix)));
  const clauses = longestFirst(terms)
    .slice(0, MAX_TERMS)
    .map((term) => term.flatMap((each) => prefixes.ranges(each, listsOf) ?? []))
    .map((ranges) => owners.flatMap((owner) => ranges.map((range) => ({ ...range, owner }))));
  const exact = terms.length <= MAX_TERMS && terms.flat().every(({ length }) => length <= WHOLE);
  return { clauses, exact };
}

function ofParts<R extends GuardedItem>(
  { order, owners, named }: Scope,
  { parts = [], rough }: Criterion<R>,
): Part {
  const ranges = parts.flatMap(({ list, order: by, filter, ...bounds }) =>
    named(list).map((each) => ({ list: each, ...(by === order ? bounds : filter ? { filter } : {}) })),
  );
  return {
    clauses: [owners.flatMap((owner) => ranges.map((range) => ({ ...range, owner })))],
    exact: !rough && parts.every((part) => part.order === order || part.filter),
  };
}

/** Criteria that this order has no lists or ranks for are left to the check of each record. */
function partOf<R extends GuardedItem>(scope: Scope, criterion: Criterion<R>): Part {
  const { lists, personal, rough, parts, range, terms, ids, noted, window } = criterion;
  if (scope.is_narrow && (parts || lists)) return { exact: false };
  if (lists && lists.length > MOST_RANGES) return { exact: false };
  if (parts) return ofParts(scope, criterion);
  if (lists) {
    const owners = personal ? [scope.user_id] : scope.owners;
    const all = lists.flatMap(scope.named);
    return { clauses: [owners.flatMap((owner) => all.map((list) => ({ owner, list })))], exact: !rough };
  }
  if (range?.order === scope.order && !rough) return { bounds: range, exact: true };
  if (terms && scope.words.length > 0) return ofTerms(scope, terms);
  const bounds = range?.order === scope.order ? range : {};
  if (noted && !scope.is_narrow)
    return { bounds, noted, ...(window && scope.has_periods ? { window } : {}), exact: false };
  return { bounds, exact: !range && !terms && !ids };
}

/** All of them: several may test one attribute. */
function allOf(notes: Noted[]): Noted | undefined {
  const all: Record<string, Test<never>> = {};
  for (const [name, test] of notes.flatMap((note) => Object.entries(note) as [string, Test<never>][]))
    all[name] = all[name] ? both(all[name], test) : test;
  return notes.length > 0 ? all : undefined;
}

/** Postings of the first read where a note leaves some of them. */
const NOTED = 600;

function ofAll({ owners, named }: Scope, filter: Noted | undefined): OwnedRange[] {
  const read = filter ? { filter, first: NOTED } : {};
  return owners.flatMap((owner) => named(ALL).map((list) => ({ owner, list, ...read })));
}

/** Lists that are merged at most: who reads many mailboxes reads the list of everything of each. */
const MERGED = 120;

/** The same by the lists of periods, where these have all that the notes are about. */
function ofPeriods<R extends GuardedItem>(
  ctx: CallerContext,
  { spread }: RecordIndex<R>,
  { owners, named }: Scope,
  { windows, filter }: { windows: Window[]; filter: Noted | undefined },
): OwnedRange[] | undefined {
  const window = common(windows);
  const periods = window && listsOfWindow(ctx, window, spread);
  if (!periods || periods.length * owners.length > MERGED) return undefined;
  const sizes = spread ? sizesByTime(ctx, window, periods) : sizesAtEnds(periods);
  return periods.flatMap(({ list, is_partial }, i) => {
    const read = { first: sizes[i] as number, ...(is_partial ? { filter } : {}) };
    return owners.flatMap((owner) => named(list).map((each) => ({ owner, list: each, ...read })));
  });
}

export function planIn<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  criteria: Criterion<R>[],
  order: string,
  { with_periods = true } = {},
): Plan {
  const owners = ownersFor(ctx, index);
  const aside = criteria.some((criterion) => criterion.aside);
  const named = (list: string) =>
    (aside ? [list, asideOf(list)] : [list]).map((each) => listName(index.type, order, each));
  const scope: Scope = {
    order,
    is_narrow: index.narrow?.includes(order) ?? false,
    has_periods: order === index.words_by,
    words: listsOfWord(index, order),
    owners,
    user_id: ctx.caller.user.id,
    named,
  };
  const parts = criteria.map((criterion) => partOf(scope, criterion));
  const clauses = parts.flatMap((part) => part.clauses ?? []);
  const readsAll = clauses.length === 0;
  const noting = parts.filter(({ noted }) => noted);
  const filter = allOf(noting.flatMap(({ noted = [] }) => noted));
  const windows = noting.flatMap(({ window = [] }) => window);
  const byPeriods =
    with_periods && windows.length === noting.length
      ? ofPeriods(ctx, index, scope, { windows, filter })
      : undefined;
  const all = byPeriods ?? ofAll(scope, filter);
  return {
    clauses: parts.reduce((some, { bounds = {} }) => narrowed(some, bounds), readsAll ? [all] : clauses),
    exact: parts.every(({ exact, noted }) => exact || (readsAll && noted)),
  };
}
