import { indexingJob, type OfRecords } from '#shared/domain/collaboration/record-lists/job.ts';
import {
  MAX_WRITES,
  recordChange,
  recordDeletion,
  recordMerge,
} from '#shared/domain/collaboration/record-lists/record-change.ts';
import { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { Merged } from '#shared/domain/collaboration/records/merged.ts';
import { founding } from '#shared/domain/crm/organizations/founding.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import type { NewJob } from '#shared/domain/platform/jobs/job.ts';
import { invalidField } from '#shared/errors.ts';
import type { AllOf, Write } from '#shared/table/table.ts';
import { addressHolders } from './addresses.ts';
import type { Contact } from './contact.ts';
import { contactIndex } from './lists.ts';
import { keptMerge } from './merging/kept.ts';
import { ownerWrites } from './owners.ts';

/** Writes of a transaction besides the contact's own: a further job may index new organizations. */
export const BESIDES = MAX_WRITES - 1;

/** A merge that fits so can be taken back in one transaction, with both histories and what is said of the pair. */
const RETURNABLE = BESIDES - 6;

export const externalIds = new ExternalIds('contacts');

/** The addresses and the external id of a contact. */
async function nameWrites(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact | undefined,
): Promise<Write[]> {
  return [...externalIds.change(before, after), ...(await addressHolders.change(ctx, before, after))];
}

/** With its rows under organizations and spaces. */
export async function besidesOf(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact | undefined,
): Promise<Write[]> {
  return [...(await nameWrites(ctx, before, after)), ...ownerWrites(before, after)];
}

/** Those of `further` that fit: the largest returns do not heed who pins other contacts at the same time. */
export const withFitting = (writes: Write[], further: Write[]): Write[] => [
  ...writes,
  ...further.slice(0, Math.max(0, RETURNABLE - writes.length)),
];

/** The same change with a job that lists added addresses by their last mail, or as a part of the contact's own job. */
export function listing(
  { now }: Pick<CallerContext, 'now'>,
  before: Contact | undefined,
  after: Contact,
  { writes, jobs }: Change,
): Change {
  const known = new Set(before?.email_addresses.map(({ email_address }) => email_address));
  const all = after.email_addresses.map(({ email_address }) => email_address);
  const addresses = all.filter((address) => !known.has(address));
  if (addresses.length === 0) return { writes, jobs };
  const added = { account_id: after.account_id, addresses };
  const isOwn = ({ body }: NewJob) => (body as Partial<OfRecords>).record_ids?.[0] === after.id;
  const own = jobs.find(isOwn);
  if (!own) return { writes, jobs: [...jobs, indexingJob(added, now)] };
  const both = { ...own, body: { ...own.body, with_addresses: added } };
  return { writes, jobs: jobs.map((job) => (job === own ? both : job)) };
}

function refuseTooMany(besides: Write[]): void {
  if (besides.length > BESIDES)
    throw invalidField('employments', 'too_long', 'changes too much at once with the email addresses');
}

/**
 * The change that creates or changes a contact, with its addresses, its external id, its lists, and the organizations to
 * create with it. It fails when another request changes one of these. 409 `email_address_taken`, `external_id_taken`.
 */
export async function contactChange(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact,
  founded: Organization[] = [],
): Promise<Change> {
  if (before === after) return noChange;
  const [names, founds] = await Promise.all([nameWrites(ctx, before, after), founding(ctx, founded)]);
  const besides = [...names, ...ownerWrites(before, after, founded), ...founds.writes];
  refuseTooMany(besides);
  const change = await recordChange(ctx, contactIndex, { before, after, besides });
  return listing(ctx, before, after, together(change, { writes: [], jobs: founds.jobs }));
}

/**
 * The change that marks a contact as deleted. Its addresses and its external id are free at once. It fails when another
 * request changes the contact, or when a further condition does not hold.
 */
export function contactDeletion(
  ctx: CallerContext,
  contact: Contact,
  further: AllOf<Contact> = {},
): Promise<Change> {
  return recordDeletion(ctx, contactIndex, contact, besidesOf(ctx, contact, undefined), further);
}

/**
 * The change that makes one contact part of another, with its addresses, external id, pins and places in lists. It fails
 * when another request changes one of them. 400 `too_long` for more organizations and addresses than fit. Only the largest
 * merges cannot be taken back.
 */
export function contactMerge(ctx: CallerContext, merged: Merged<Contact>): Promise<Change> {
  const { before, after, gone } = merged;
  const besides = addressHolders.merge(ctx, merged).then((addresses) => {
    const writes = [
      ...externalIds.merge(merged),
      ...addresses,
      ...ownerWrites(before, after),
      ...ownerWrites(gone, undefined),
    ];
    refuseTooMany(writes);
    return writes.length > RETURNABLE ? writes : [...writes, keptMerge(merged, ctx.now)];
  });
  return recordMerge(ctx, contactIndex, { ...merged, besides });
}
