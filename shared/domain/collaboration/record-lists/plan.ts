import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Clauses } from '#shared/domain/platform/postings/conjunction.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Bounds, OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import type { Criterion } from './criteria.ts';
import { ALL, listName, prefixes, type RecordIndex, wordList } from './entry.ts';

/** How the records that match all criteria are found in one order. */

/** The longest terms are looked up in lists; further terms are checked on the records found. */
const MAX_TERMS = 4;

/** Characters of a term by which lists decide alone: postings have the beginnings of long words. */
const WHOLE = 64;

type Ranges = OwnedRange[];

const lengthOf = ([term = '']: string[]) => term.length;

const longestFirst = (terms: string[][]) => terms.toSorted((a, b) => lengthOf(b) - lengthOf(a));

/** Lists of the account, of the caller for what not everyone sees, and of mailboxes for what is linked to their mail. */
export const ownersFor = <R extends GuardedItem>(
  { caller: { account, user } }: CallerContext,
  index: RecordIndex<R>,
) => [account.id, user.id, ...(index.audience ? Object.keys(user.mailboxes) : [])];

function termClauses<R extends GuardedItem>(
  index: RecordIndex<R>,
  terms: string[][],
  owners: string[],
): Clauses<OwnedRange> {
  const listOf = wordList(index.type, index.words_by);
  return longestFirst(terms)
    .slice(0, MAX_TERMS)
    .map((term) => term.flatMap((each) => prefixes.ranges(each, [listOf]) ?? []))
    .map((ranges) => owners.flatMap((owner) => ranges.map((range) => ({ ...range, owner }))));
}

/** A plan to read in one order. */
export interface Plan {
  clauses: Clauses<OwnedRange>;
  /** Whether the records in all clauses are exactly those that match. */
  exact: boolean;
}

/** Criteria that this order has no lists or ranks for are left to the check of each record. */
export function planIn<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  criteria: Criterion<R>[],
  order: string,
): Plan {
  const owners = ownersFor(ctx, index);
  let bounds: Bounds[] = [];
  let exact = true;
  const clauses: Ranges[] = [];
  for (const { lists, personal, rough, parts, range, terms, ids } of criteria) {
    if (parts) {
      clauses.push(
        owners.flatMap((owner) =>
          parts.map(({ list, order: by, ...bounds }) => ({
            owner,
            list: listName(index.type, order, list),
            ...(by === order ? bounds : {}),
          })),
        ),
      );
      exact &&= parts.every(({ order: by }) => by === order);
    } else if (lists) {
      clauses.push(
        (personal ? [ctx.caller.user.id] : owners).flatMap((owner) =>
          lists.map((list) => ({ owner, list: listName(index.type, order, list) })),
        ),
      );
      exact &&= !rough;
    } else if (range?.order === order) {
      bounds = [...bounds, range];
      exact &&= !rough;
    } else if (terms && order === index.words_by) {
      clauses.push(...termClauses(index, terms, owners));
      exact &&= terms.length <= MAX_TERMS && terms.flat().every(({ length }) => length <= WHOLE);
    } else if (range || terms || ids) exact = false;
  }
  const all = owners.map((owner) => ({ owner, list: listName(index.type, order, ALL) }));
  const read = clauses.length > 0 ? clauses : [all];
  return { clauses: bounds.reduce((some, bound) => narrowed(some, bound), read), exact };
}
