import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { accessOf, type GuardedItem, isCurrent } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';

/** Merges that an id may follow. */
const MAX_MERGES = 10;

/** By the key of each merged record: the item of the one that it is part of now. */
async function heirsOf(ctx: CallerContext, type: RecordType, items: RecordItem[]) {
  const found = new Map<string, GuardedItem>();
  let open = items.flatMap(({ PK, merged_into }) => (merged_into === undefined ? [] : [{ PK, merged_into }]));
  for (let step = 0; step < MAX_MERGES && open.length > 0; step++) {
    const keyOf = (id: string) => keys.record(type, id);
    const read = await ctx.table.getMany<GuardedItem>(open.map((each) => keyOf(each.merged_into)));
    const byKey = new Map(read.map((item) => [item.PK, item]));
    open = open.flatMap(({ PK, merged_into }) => {
      const heir = byKey.get(keyOf(merged_into).PK);
      if (heir?.merged_into !== undefined) return { PK, merged_into: heir.merged_into };
      if (heir) found.set(PK, heir);
      return [];
    });
  }
  return found;
}

/** By the id of each merged record: the one that it is part of now, if the caller sees it. */
export async function visibleHeirs(
  ctx: CallerContext,
  type: RecordType,
  items: RecordItem[],
): Promise<Map<string, string>> {
  const heirs = await heirsOf(ctx, type, items);
  const visible = [...heirs].filter(
    ([, heir]) => isCurrent(heir, ctx.caller) && accessOf(heir, ctx.caller.user) !== undefined,
  );
  const idOf = (PK: string) => PK.slice(keys.record(type, '').PK.length);
  return new Map(visible.map(([PK, { id }]) => [idOf(PK), id]));
}
