import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { contactIndex } from './lists.ts';
import { ownerWrites } from './owners.ts';

type Work = Parameters<Dependent['removing']>[0];

/** The transaction that gives the contact's employments another organization, or none. */
async function leaving(work: Work, row: Item, from: string, into: string | null): Promise<Write[]> {
  const table: Table = work.table;
  const before = await table.get<Contact>(keys.record('contacts', row.SK));
  const employed = before?.employments.some(({ organization }) => organization?.id === from);
  if (!isThere(before) || !employed) return [{ delete: keyOf(row) }];
  const now = new Date(work.clock());
  const organization = into === null ? null : { id: into };
  const employments = before.employments.map((each) =>
    each.organization?.id === from ? { ...each, organization } : each,
  );
  const after = { ...before, employments, updated_at: nextMoment(before, now) };
  const besides = ownerWrites(before, after);
  const { writes, jobs } = await recordChange({ table, now }, contactIndex, { before, after, besides });
  return [...writes, ...jobs.map(enqueue)];
}

async function* transactions(work: Work, from: string, into: string | null): AsyncGenerator<Write[]> {
  const { PK } = keys.ownerRow('organizations', from, '');
  for await (const page of work.table.pages<Item>(PK))
    for (const row of page) yield await leaving(work, row, from, into);
}

/** The employments at an organization that is merged or deleted. */
export const employmentsAtOrganizations: Dependent = {
  async *moving(work, from, into) {
    if (from.type === 'organizations') yield* transactions(work, from.id, into.id);
  },
  async *removing(work, record) {
    if (record.type === 'organizations') yield* transactions(work, record.id, null);
  },
};
