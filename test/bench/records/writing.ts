import type { AnyItem, Table } from '#shared/table/table.ts';
import { batchSize } from '../bulk-table.ts';

const AT_ONCE = 2;

/** In chunks, two at a time. Returns how many items there were. */
export async function writeAll(table: Table, batches: AsyncIterable<AnyItem[]>): Promise<number> {
  const most = batchSize(table);
  let items = 0;
  const sending = new Set<Promise<void>>();
  let chunk: AnyItem[] = [];
  const send = async () => {
    items += chunk.length;
    const writing = table.writeMany(chunk.map((put) => ({ put }))).finally(() => sending.delete(writing));
    sending.add(writing);
    chunk = [];
    if (sending.size >= AT_ONCE) await Promise.race(sending);
  };
  for await (const batch of batches) {
    chunk.push(...batch);
    if (chunk.length >= most) await send();
  }
  await send();
  await Promise.all(sending);
  return items;
}
