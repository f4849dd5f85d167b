import type { Context } from '#shared/context.ts';
import { cameBy, type Passing } from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { moveOf, returned, transactionsOf } from '#shared/domain/collaboration/records/move.ts';
import { type Key, keyOf } from '#shared/table/keys.ts';
import { type Item, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';

export type Work = Pick<Context, 'table' | 'clock'>;

/**
 * What a family keeps of records: the comments on them, their tags. It yields the transactions that move this to
 * another record, and those that remove it. A deleted record rests first: what shows without the record is hidden at
 * once, and comes back when it is restored (docs/decisions/0055); the rest stays where it is. Each transaction is complete in itself and conditional on what was read for
 * it, so the work can stop after any of them, run again, and run in several workers at once. The next items are read
 * only after the previous transactions are done.
 */
export interface Dependent {
  /** Up to 99 writes each: one more checks that the target record is live. */
  moving(ctx: Work, from: Passing, into: RecordRef): AsyncIterable<Write[]>;
  /** For types whose merges can be taken back: what came from `into` goes back there. Up to 99 writes each. */
  returning?(ctx: Work, from: RecordRef, into: RecordRef): AsyncIterable<Write[]>;
  /** Up to 99 writes each: one more checks that a record which stays is still empty. */
  removing(ctx: Work, record: RecordRef): AsyncIterable<Write[]>;
  /** Up to 99 writes each: one more checks that the record still rests. */
  hiding?(ctx: Work, record: RecordRef): AsyncIterable<Write[]>;
  /** Up to 99 writes each: one more checks that the record was not deleted again. */
  restoring?(ctx: Work, record: RecordRef): AsyncIterable<Write[]>;
}

/** The dependents of records: they move or are removed with the record. */
export interface KnowsDependents {
  dependents: readonly Dependent[];
}

/** The writes in as few transactions as possible, each with room for the check of a target record. */
export function* inTransactions(writes: Write[]): Generator<Write[]> {
  const step = TRANSACTION_LIMIT - 1;
  for (let at = 0; at < writes.length; at += step) yield writes.slice(at, at + step);
}

/** Independent items under the record. `first` is the prefix of their keys. */
export function keptUnder(
  first: (record: RecordRef) => Key,
): Required<Omit<Dependent, 'hiding' | 'restoring'>> {
  return {
    async *moving({ table }, from, into) {
      const { PK, SK } = first(from);
      for await (const page of table.pages(PK, SK))
        yield* transactionsOf(
          page.map((item) => moveOf(item, from, into)),
          1,
        );
    },
    async *returning({ table }, from, into) {
      const { PK, SK } = first(from);
      for await (const page of table.pages<Item>(PK, SK)) {
        const came = page.filter((item) => cameBy(item, into.id));
        yield* transactionsOf(
          came.map((item) => moveOf(item, from, into, returned)),
          1,
        );
      }
    },
    async *removing({ table }, record) {
      const { PK, SK } = first(record);
      for await (const page of table.pages<Item>(PK, SK))
        yield* inTransactions(page.map((item) => ({ delete: keyOf(item) })));
    },
  };
}
