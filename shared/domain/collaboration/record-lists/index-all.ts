import type { Context } from '#shared/context.ts';
import type { FieldSet } from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { readFieldSet, readFields } from '#shared/domain/collaboration/custom-fields/store.ts';
import { claims } from '#shared/domain/collaboration/custom-fields/unique.ts';
import { setFields } from '#shared/domain/collaboration/custom-fields/writes.ts';
import { isLive, isThere } from '#shared/domain/collaboration/records/live.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Table, type Write, when } from '#shared/table/table.ts';
import { ALL, listName, type RecordIndex } from './entry.ts';
import { indexRecord } from './index-record.ts';
import type { OfAccount } from './job.ts';
import type { ListedItem } from './listed-item.ts';
import { idOf } from './ranks.ts';

/** Brings all records of a type to the definitions of its custom fields, page by page. */

/** Records between two checks of the time. */
const PAGE = 25;

/** An order in which no record moves. */
const ORDER = 'created_at';

/** The record gets the values that nobody holds yet, unless it changes meanwhile. */
function claim(table: Table, index: RecordIndex, { account_id, all_of }: OfAccount, id: string) {
  return retryOnConflict(async () => {
    const key = keys.record(all_of, id);
    const [record, fields] = await Promise.all([
      table.get<GuardedItem & ListedItem>(key),
      readFields(table, account_id, all_of),
    ]);
    if (!isThere(record) || record.merged_into !== undefined) return;
    const text = index.custom_fields?.(record);
    if (text === undefined) return;
    const holding = { id, values: JSON.parse(text) };
    const writes = await claims(table, all_of, fields, { account_id, holding });
    if (writes.length === 0) return;
    const asItWas = when<ListedItem>({ ...isLive, updated_at: record.updated_at });
    await table.transact([{ check: key, when: asItWas }, ...writes]);
  });
}

/** The account, and then its users: each record that anybody sees is in a list of one of them. */
async function ownersFrom(table: Table, { account_id, after }: OfAccount): Promise<string[]> {
  const users = await listUsers(table, account_id);
  const owners = [account_id, ...users.map(({ id }) => id).sort()];
  return owners.slice(after ? owners.indexOf(after.owner) : 0);
}

/** The definitions that waited for this job are ready. */
function finish(table: Table, { account_id, all_of, job_id }: OfAccount, end: Write[]): Promise<void> {
  return retryOnConflict(async () => {
    const set: FieldSet = await readFieldSet(table, account_id, all_of);
    const ready = set.fields.map(({ indexing, ...field }) =>
      indexing === undefined || indexing === job_id ? field : { ...field, indexing },
    );
    const waited = set.fields.some(({ indexing }) => indexing === job_id);
    await table.transact([...end, ...(waited ? [setFields(set, ready)] : [])]);
  });
}

/** Returns the rest when there is more than one page. `end` are the writes of the last transaction. */
export async function indexAll(
  ctx: Pick<Context, 'table' | 'clock'>,
  index: RecordIndex | undefined,
  indexing: OfAccount,
  end: Write[],
): Promise<OfAccount | undefined> {
  const { table } = ctx;
  const [owner, next] = await ownersFrom(table, indexing);
  if (owner !== undefined && index) {
    const { PK } = keys.posting(owner, listName(indexing.all_of, ORDER, ALL), '');
    const rank = indexing.after?.rank;
    const page = await table.query<Posting>({
      partition: PK,
      limit: PAGE,
      after: rank === undefined ? undefined : { PK, SK: rank },
    });
    for (const { SK } of page.items) {
      await claim(table, index, indexing, idOf(SK));
      await indexRecord(ctx, index, idOf(SK));
    }
    const last = page.items.at(-1)?.SK;
    if (page.last && last !== undefined) return { ...indexing, after: { owner, rank: last } };
    if (next !== undefined) return { ...indexing, after: { owner: next } };
  }
  await finish(table, indexing, end);
  return undefined;
}
