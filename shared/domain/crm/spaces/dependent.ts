import type { Dependent, Work } from '#shared/domain/collaboration/life/dependent.ts';
import { changeAgain } from '#shared/domain/collaboration/record-lists/again.ts';
import { formerWrite, linkedAgain } from '#shared/domain/collaboration/record-lists/former.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { Membership } from '#shared/domain/crm/details/memberships.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { inFamily, type ListedMember, type MemberFamily, membershipChange } from './memberships/families.ts';
import { withFormerMembership } from './memberships/linked.ts';
import type { MemberRef } from './memberships/membership.ts';
import { type MemberRow, memberOf, memberPartition } from './memberships/store.ts';

interface Leaving {
  row: MemberRow;
  member: MemberRef;
  space: RecordRef;
  /** It may come back. */
  rests: boolean;
}

/** The transaction that ends the membership of one record. */
async function leaving<R extends ListedMember>(
  { table, clock }: Work,
  family: MemberFamily<R>,
  { row, member, space, rests }: Leaving,
): Promise<Write[]> {
  const before = await table.get<R>(keys.record(member.type, member.id));
  const was = before?.memberships?.[space.id];
  if (!isThere(before) || !was) return [{ delete: keyOf(row) }];
  const ctx = { table, now: new Date(clock()) };
  const { writes, jobs } = await membershipChange(ctx, family, before, { space_id: space.id });
  const former = rests ? [formerWrite('membership', member, space, was)] : [];
  return [...writes, ...jobs.map(enqueue), ...former];
}

async function* transactions(work: Work, space: RecordRef, rests: boolean): AsyncGenerator<Write[]> {
  if (space.type !== 'spaces') return;
  for await (const page of work.table.pages<MemberRow>(memberPartition(space.id)))
    for (const row of page) {
      const member = memberOf(row);
      yield member
        ? await inFamily(member.type, (family) => leaving(work, family, { row, member, space, rests }))
        : [{ delete: keyOf(row) }];
    }
}

/** The transaction that gives a record its membership again. */
const joining = (work: Work, space: RecordRef, { type, id }: MemberRef, was: Membership): Promise<Write[]> =>
  inFamily(type, (family) =>
    changeAgain({ table: work.table, now: work.clock() }, family.index, id, {
      change: (record) => withFormerMembership(family, record, space, was),
      besides: family.rows,
    }),
  );

/** The memberships of a space that is deleted, or comes back. Spaces are not merged. */
export const membersOfSpaces: Dependent = {
  async *moving() {},
  removing: (work, space) => transactions(work, space, false),
  hiding: (work, space) => transactions(work, space, true),
  restoring: (work, space) =>
    linkedAgain(work, 'membership', space, (from, { was }) =>
      joining(work, space, from as MemberRef, was as Membership),
    ),
};
