import type { Dependent, Work } from '#shared/domain/collaboration/life/dependent.ts';
import { changeAgain } from '#shared/domain/collaboration/record-lists/again.ts';
import { formerWrite, linkedAgain } from '#shared/domain/collaboration/record-lists/former.ts';
import { recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { Ended, Linked } from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employer-ids.ts';
import { contactIndex } from './lists.ts';
import { isFull, ownerWrites } from './owners.ts';

const at = ({ organization }: Contact['employments'][number], { id }: RecordRef) => organization?.id === id;

/** The organizations of a contact's employments. */
export const linkedEmployers: Linked<Contact> = {
  index: contactIndex,
  targets: (contact) => employerIds(contact).map((id) => ({ type: 'organizations', id })),
  relinked: (contact, { from, into }) => ({
    ...contact,
    employments: contact.employments.map((each) =>
      at(each, from) ? { ...each, organization: into ? { id: into.id } : null } : each,
    ),
  }),
  linkOf: ({ employments }, to) => employments.flatMap((each) => (at(each, to) ? [each.id] : [])),
  withLink(contact, to, was) {
    const left = (each: Contact['employments'][number]) =>
      each.organization === null && (was as string[]).includes(each.id);
    if (isFull(contact) || !contact.employments.some(left)) return contact;
    const employments = contact.employments.map((each) =>
      left(each) ? { ...each, organization: { id: to.id } } : each,
    );
    return { ...contact, employments };
  },
};

type Leaving = Ended & { rests?: boolean };

/** The transaction that gives the contact's employments another organization, or none. */
async function leaving({ table, clock }: Work, row: Item, { rests, ...ended }: Leaving): Promise<Write[]> {
  const { from } = ended;
  const before = await table.get<Contact>(keys.record('contacts', row.SK));
  if (!isThere(before) || !before.employments.some((each) => at(each, from))) return [{ delete: keyOf(row) }];
  const now = new Date(clock());
  const after = { ...linkedEmployers.relinked(before, ended), updated_at: nextMoment(before, now) };
  const contact = { type: 'contacts' as const, id: before.id };
  const former = rests
    ? [formerWrite('employment', contact, from, linkedEmployers.linkOf(before, from))]
    : [];
  const besides = [...ownerWrites(before, after), ...former];
  const { writes, jobs } = await recordChange({ table, now }, contactIndex, { before, after, besides });
  return [...writes, ...jobs.map(enqueue)];
}

async function* transactions(work: Work, ended: Leaving): AsyncGenerator<Write[]> {
  if (ended.from.type !== 'organizations') return;
  const { PK } = keys.ownerRow('organizations', ended.from.id, '');
  for await (const page of work.table.pages<Item>(PK))
    for (const row of page) yield await leaving(work, row, ended);
}

/** The employments at an organization that is merged or deleted, or comes back. */
export const employmentsAtOrganizations: Dependent = {
  moving: (work, from, into) => transactions(work, { from, into }),
  removing: (work, from) => transactions(work, { from, into: undefined }),
  hiding: (work, from) => transactions(work, { from, into: undefined, rests: true }),
  restoring: (work, to) =>
    linkedAgain(work, 'employment', to, (from, { was }) =>
      changeAgain<Contact>({ table: work.table, now: work.clock() }, contactIndex, from.id, {
        change: (contact) => linkedEmployers.withLink(contact, to, was),
        besides: ownerWrites,
      }),
    ),
};
