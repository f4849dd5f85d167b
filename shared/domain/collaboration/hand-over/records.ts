import { asOfNow, type Context } from '#shared/context.ts';
import { changeAgain } from '#shared/domain/collaboration/record-lists/again.ts';
import { endedList } from '#shared/domain/collaboration/record-lists/ended.ts';
import { ALL, listName, type RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { idsOf } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { Passes, Passing } from '#shared/domain/identity/users/leaving.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Table, Write } from '#shared/table/table.ts';

/** Records of a user who left go to another, with their visibility. Nobody is notified. */

/** How the records of a family are found. */
interface Held {
  index: unknown;
  /** One in which a record has a value, and keeps its place. */
  order: string;
  /** The lists with what the user owns or works on; without them all records of the family are read. */
  lists?(user_id: string): string[];
  /** What says elsewhere who owns a record of the family, for types where something does. */
  besides?(table: Table, before: never, after: never): Promise<Write[]>;
}

/** Records of up to 100 kB that are read together: the worker has little memory. */
const PAGE = 25;

/** The same record when it is not the user's. */
function passed<R extends ListedItem>(record: R, { from, to }: Passing): R {
  const owned = record.user_id === from.id;
  const assigned = record.assigned_user_id === from.id;
  if (!owned && !assigned) return record;
  return {
    ...record,
    ...(owned ? { user_id: to.id } : {}),
    ...(assigned ? { assigned_user_id: to.id } : {}),
  };
}

/** The record may change or end meanwhile. Of one that was merged, the survivor is read, which may be another's. */
function passRecord(ctx: Context, { index, besides }: Held, id: string, passing: Passing): Promise<void> {
  return retryOnConflict(async () => {
    const writes = await changeAgain(asOfNow(ctx), index as RecordIndex<ListedItem>, id, {
      change: (record) => passed(record, passing),
      besides: (before, after) => besides?.(ctx.table, before as never, after as never) ?? [],
    });
    await ctx.table.transact(writes);
  });
}

/** The account and the user: one of them has each record that the user sees. Ended ones may return. */
function listsOf({ index, order, lists }: Held, { account_id, id }: User): { owner: string; list: string }[] {
  const { type } = index as RecordIndex<ListedItem>;
  const names = (lists?.(id) ?? [ALL]).map((list) => listName(type, order, list));
  const all = [...names, endedList(type)];
  return [account_id, id].flatMap((owner) => all.map((list) => ({ owner, list })));
}

/** Those of a page of postings that are the user's. */
async function readHeld(ctx: Context, { type }: RecordIndex<ListedItem>, page: Posting[], passing: Passing) {
  const records = await ctx.table.getMany<ListedItem>(idsOf(page).map((id) => keys.record(type, id)));
  return records.filter((record) => passed(record, passing) !== record);
}

/** The records of one family. Those that are done are not found again, or only read. */
export const passRecords =
  (held: Held): Passes<object> =>
  async (ctx, passing, timeIsUp) => {
    const index = held.index as RecordIndex<ListedItem>;
    for (const { owner, list } of listsOf(held, passing.from))
      for await (const page of ctx.table.pages<Posting>(keys.posting(owner, list, '').PK, undefined, {
        limit: PAGE,
      }))
        for (const { id } of await readHeld(ctx, index, page, passing)) {
          if (timeIsUp()) return false;
          await passRecord(ctx, held, id, passing);
        }
    return true;
  };
