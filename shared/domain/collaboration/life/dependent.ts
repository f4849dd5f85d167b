import type { Context } from '#shared/context.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { moveOf, transactionsOf } from '#shared/domain/collaboration/records/move.ts';
import { type Key, keyOf } from '#shared/table/keys.ts';
import { type Item, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';

type Work = Pick<Context, 'table' | 'clock'>;

/**
 * What a family keeps of records: the comments on them, their tags. It says in which transactions that moves to another
 * record, and in which it goes. Each transaction is whole by itself and depends on what was read for it, so the work can
 * be cut off after any of them, done again, and done by several workers at once. What comes next is read when it is
 * asked for, after the transactions before it are done.
 */
export interface Dependent {
  /** Up to 99 writes each: another one says that the other record is live. */
  moving(ctx: Work, from: RecordRef, into: RecordRef): AsyncIterable<Write[]>;
  removing(ctx: Work, record: RecordRef): AsyncIterable<Write[]>;
}

/** What records have that families keep for them: all of it moves or goes with the record. */
export interface KnowsDependents {
  dependents: readonly Dependent[];
}

/** Transactions of so many writes at most. */
export function* inTransactions(writes: Write[]): Generator<Write[]> {
  for (let at = 0; at < writes.length; at += TRANSACTION_LIMIT)
    yield writes.slice(at, at + TRANSACTION_LIMIT);
}

/** Items under the record of which each stands alone. `first` is the beginning of their keys. */
export function keptUnder(first: (record: RecordRef) => Key): Dependent {
  return {
    async *moving({ table }, from, into) {
      const { PK, SK } = first(from);
      for await (const page of table.pages(PK, SK))
        yield* transactionsOf(
          page.map((item) => moveOf(item, from, into)),
          1,
        );
    },
    async *removing({ table }, record) {
      const { PK, SK } = first(record);
      for await (const page of table.pages<Item>(PK, SK))
        yield* inTransactions(page.map((item) => ({ delete: keyOf(item) })));
    },
  };
}
