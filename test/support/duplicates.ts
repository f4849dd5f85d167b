import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { runIndexing } from '#shared/domain/collaboration/record-lists/keeper.ts';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import type { Side } from '#shared/domain/crm/contacts/merging/fields.ts';
import { openJobs } from './jobs.ts';
import { runRemovals } from './removed-records.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Contacts that may be one person, and merging them. */

export const duplicatesOf = async (user: TestUser, contact_id: string) =>
  (await user.reader.listDuplicates({ params: { contact_id } })).body.collection.records;

/** Each found contact by its name, with the reasons. */
export async function reasonsOf(user: TestUser, contact_id: string): Promise<Record<string, string[]>> {
  const found = await duplicatesOf(user, contact_id);
  return Object.fromEntries(found.map(({ contact, reasons }) => [contact.name, reasons]));
}

/** The id of the pair, as the user sees it. */
export async function pairOf(user: TestUser, contact_id: string, other_id: string): Promise<string> {
  const found = await duplicatesOf(user, contact_id);
  const pair = found.find(({ contact }) => contact.id === other_id);
  if (!pair) throw new Error('The contacts are no duplicates');
  return pair.id;
}

export interface MergeOptions {
  fields?: Record<string, Side>;
  dry_run?: boolean;
}

export const mergeCall = (user: TestUser, into: string, from: string, options: MergeOptions = {}) =>
  user.api.mergeContacts({
    params: { contact_id: into },
    body: { contact_id_to_merge: from, ...options },
  });

export async function mergeInto(
  user: TestUser,
  into: string,
  from: string,
  options?: MergeOptions,
): Promise<ContactRecord> {
  return (await mergeCall(user, into, from, options)).body.contact;
}

/** The same, with its job. */
export async function mergeWhole(
  workspace: Workspace,
  user: TestUser,
  into: string,
  from: string,
  options?: MergeOptions,
): Promise<ContactRecord> {
  const contact = await mergeInto(user, into, from, options);
  await runRemovals(workspace);
  return contact;
}

export const unmergeCall = (user: TestUser, survivor: string, gone: string) =>
  user.api.unmergeContacts({ params: { contact_id: survivor }, body: { contact_id_to_unmerge: gone } });

/** Takes a merge back, with its jobs. */
export async function unmergeWhole(workspace: Workspace, user: TestUser, survivor: string, gone: string) {
  const { body } = await unmergeCall(user, survivor, gone);
  await runRemovals(workspace);
  await runIndexings(workspace);
  return body;
}

/** Runs the jobs that update lists of records and were not sent: what the sweep would send. */
export async function runIndexings({ ctx, table }: Workspace): Promise<void> {
  for (const { id } of await openJobs(table, 'index-records'))
    await runIndexing(ctx, listsOfRecords, id, () => false);
}
