import { type Member, spacesAddedTo, withMembership } from '#shared/domain/crm/details/memberships.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countNear } from '#shared/domain/platform/limits/near.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { memberPartition } from './store.ts';

/** Threads of a space are found by the addresses of each of its people. */
export const MAX_MEMBERS = 500;

type Ctx = Pick<CallerContext, 'table' | 'caller'>;

/** Which of these spaces have no room for one more, and what is written with one more member of the others. */
export async function fullAmong(
  { table, caller }: Ctx,
  spaces: string[],
): Promise<{ full: string[]; writes: Write[] }> {
  let counts: number[] = [];
  const { writes } = await countNear(table, {
    key: keys.accountAdditions(caller.account.id, 'space_members'),
    most: MAX_MEMBERS,
    count: async () => {
      counts = await Promise.all(
        spaces.map((id) => table.count({ partition: memberPartition(id) }, MAX_MEMBERS)),
      );
      return Math.max(0, ...counts.filter((count) => count < MAX_MEMBERS));
    },
  });
  return { full: spaces.filter((_, i) => (counts[i] as number) >= MAX_MEMBERS), writes };
}

/** A record that comes back, without those of the spaces that have no room for it by now. */
export async function withinSpaces<R extends Member>(
  ctx: Ctx,
  record: R,
  spaces = spacesAddedTo(record),
): Promise<{ after: R; writes: Write[] }> {
  const { full, writes } = await fullAmong(ctx, spaces);
  return { after: full.reduce((left, id) => withMembership(left, id), record), writes };
}
