import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { inFamily, type ListedMember, type MemberFamily, membershipChange } from './memberships/families.ts';
import { type MemberRow, memberOf, memberPartition } from './memberships/store.ts';

type Work = Parameters<Dependent['removing']>[0];

/** The transaction that ends the membership of one record. */
async function leaving<R extends ListedMember>(
  { table, clock }: Work,
  family: MemberFamily<R>,
  { row, id, space_id }: { row: MemberRow; id: string; space_id: string },
): Promise<Write[]> {
  const before = await table.get<R>(keys.record(family.index.type, id));
  if (!isThere(before) || !before.memberships?.[space_id]) return [{ delete: keyOf(row) }];
  const { writes, jobs } = await membershipChange({ table, now: new Date(clock()) }, family, before, {
    space_id,
  });
  return [...writes, ...jobs.map(enqueue)];
}

async function* transactions(work: Work, space_id: string): AsyncGenerator<Write[]> {
  for await (const page of work.table.pages<MemberRow>(memberPartition(space_id)))
    for (const row of page) {
      const member = memberOf(row);
      yield member
        ? await inFamily(member.type, (family) => leaving(work, family, { row, id: member.id, space_id }))
        : [{ delete: keyOf(row) }];
    }
}

/** The memberships of a space that is deleted. Spaces are not merged. */
export const membersOfSpaces: Dependent = {
  async *moving() {},
  async *removing(work, record) {
    if (record.type === 'spaces') yield* transactions(work, record.id);
  },
};
