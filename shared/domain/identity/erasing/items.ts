import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import { type Key, keyOf } from '#shared/table/keys.ts';
import { type Item, type Table, when } from '#shared/table/table.ts';
import { tryDelete } from '#shared/table/try-delete.ts';
import { type Hanging, hangingOn, together } from './hanging.ts';
import { belongingOf, type Erasable, isOf, type Owned } from './partitions.ts';
import type { ErasesObjects } from './port.ts';

/**
 * Erasing items with what hangs on them. Whatever is interrupted is found again: what hangs on an item goes before it, and
 * in a partition what does not say whose it is goes before what does.
 */

export type Erasing = Context<ErasesObjects>;

const AT_ONCE = 10;

/** Items at once: a partition, such as a long list, takes 1,000 writes a second, and the others wait (backoff.ts). */
const KEYS_AT_ONCE = 250;

/** Returns how many there were. */
export async function eraseKeys(table: Table, found: Key[]): Promise<number> {
  for (let i = 0; i < found.length; i += KEYS_AT_ONCE)
    await table.writeMany(found.slice(i, i + KEYS_AT_ONCE).map((key) => ({ delete: keyOf(key) })));
  return found.length;
}

async function erasePartition(table: Table, partition: string): Promise<number> {
  let erased = 0;
  for await (const page of table.pages<Item>(partition)) erased += await eraseKeys(table, page);
  return erased;
}

async function eraseHanging(ctx: Erasing, hanging: Hanging): Promise<number> {
  if (hanging.uploads.length > 0) await ctx.ports.objects.eraseUploads(ctx, hanging.uploads);
  const erased = await mapAtOnce(hanging.partitions, AT_ONCE, (each) => erasePartition(ctx.table, each));
  await eraseKeys(ctx.table, hanging.keys);
  return erased.reduce((sum, count) => sum + count, 0);
}

const eraseHangingOn = (ctx: Erasing, items: Erasable[]) => eraseHanging(ctx, together(items.map(hangingOn)));

/** All of a partition of which some items were found. */
async function eraseMixed(ctx: Erasing, owned: Owned, partition: string): Promise<number> {
  const last: Key[] = [];
  let erased = 0;
  for await (const page of ctx.table.pages<Erasable>(partition)) {
    erased += await eraseHangingOn(ctx, page);
    erased += await eraseKeys(
      ctx.table,
      page.filter((item) => !isOf(owned, item)),
    );
    last.push(...page.filter((item) => isOf(owned, item)).map(keyOf));
  }
  return erased + (await eraseKeys(ctx.table, last));
}

/** Unless it is somebody else's by now. */
async function eraseHandedOn(table: Table, { PK, SK, account_id }: Erasable): Promise<void> {
  await tryDelete(table, { PK, SK }, when<Erasable>({ account_id: account_id as string }));
}

/** Erases the items of a page of the table that are of the accounts, and returns how many these were with the others. */
export async function erasePage(ctx: Erasing, owned: Owned, page: Erasable[]): Promise<number> {
  const found = page.filter((item) => isOf(owned, item));
  const by = Map.groupBy(found, belongingOf);
  const mixed = [...new Set(by.get('some_items')?.map(({ PK }) => PK))];
  const handedOn = by.get('handed_on') ?? [];
  const plain = found.filter((item) => ['member', 'items'].includes(belongingOf(item)));
  const counts = await mapAtOnce(mixed, AT_ONCE, (each) => eraseMixed(ctx, owned, each));
  await mapAtOnce(handedOn, AT_ONCE, (item) => eraseHandedOn(ctx.table, item));
  const hanging = await eraseHangingOn(ctx, plain);
  await eraseKeys(ctx.table, plain);
  return counts.reduce((sum, count) => sum + count, 0) + hanging + handedOn.length + plain.length;
}
