import type { AnyItem, Table, Write } from '#shared/table/table.ts';
import { type SeedUser, seedAccount } from '../../infra/local/seed.ts';

/** Runs `work` with a table that writes its new items afterwards, in batches of 25 instead of one by one. */
export async function putAtOnce<T>(table: Table, work: (table: Table) => Promise<T>): Promise<T> {
  const items: AnyItem[] = [];
  const gather = (write: Write) => {
    // Indexes are to be sorted, by chance; a search reads what is not.
    if ('key' in write && write.key.PK.startsWith('JOBS#')) return;
    if (!('put' in write)) throw new Error('New items are put, and nothing else');
    items.push(write.put);
  };
  const gathering: Table = Object.assign(Object.create(table), {
    put: async (put: AnyItem) => gather({ put }),
    transact: async (writes: Write[]) => writes.forEach(gather),
    writeMany: async (writes: Write[]) => writes.forEach(gather),
  });
  const result = await work(gathering);
  await table.writeMany(items.map((put) => ({ put })));
  return result;
}

/** Their addresses may be of users whom other tests left: nothing is read of these. */
export function seedAtOnce(table: Table, name: string, users: SeedUser[]) {
  return putAtOnce(table, (gathering) => {
    const alone: Table = Object.assign(gathering, { get: async () => undefined });
    return seedAccount(alone, name, users, new Date());
  });
}
