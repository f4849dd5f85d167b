import { statusList } from '#shared/domain/assistant/proposals/store.ts';
import type { CommentRecord } from '#shared/domain/collaboration/comments/comment.ts';
import { type RemovedRecord, removeRecord } from '#shared/domain/collaboration/life/end.ts';
import { shareIdOf } from '#shared/domain/collaboration/shares/share.ts';
import { deleteContact } from '#shared/domain/crm/contacts/delete.ts';
import { keys } from '#shared/table/keys.ts';
import { at, unlessThere } from '#shared/table/table.ts';
import { handler as doDueWork } from '../../functions/queues/do-due-work.ts';
import { callerOf } from './callers.ts';
import { givenReactions } from './comments.ts';
import { documentOf } from './documents.ts';
import { openJobs } from './jobs.ts';
import { givenContact, givenProposal } from './proposals.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Contacts with all kinds of dependents, and their deletion. */

export const contactRef = (id: string) => ({ type: 'contacts' as const, id });

const onContact = (record_id: string) => ({ params: { record_type: 'contacts' as const, record_id } });

export async function comment(
  user: TestUser,
  contact_id: string,
  draft: object = {},
): Promise<CommentRecord> {
  const body = { comment: { html_content: '<p>Hello</p>', ...draft } };
  return (await user.api.createComment({ ...onContact(contact_id), body })).body.comment;
}

export async function comments(user: TestUser, contact_id: string): Promise<CommentRecord[]> {
  return (await user.reader.listComments(onContact(contact_id))).body.comments;
}

export async function tag(user: TestUser, contact_id: string, name: string): Promise<string> {
  const { body } = await user.api.applyTag({ ...onContact(contact_id), body: { tag: { name } } });
  return body.tagging.tag_id;
}

/** A share of a contact, as of other records: on the record's item, and as a row of the group. */
export async function givenShare(
  { table, account_id }: Workspace,
  contact_id: string,
  target: { user_id: string | null; group_id: string | null },
  access: 'view' | 'edit' = 'view',
): Promise<void> {
  const record = contactRef(contact_id);
  const key = keys.record('contacts', contact_id);
  const id = shareIdOf(record, (target.user_id ?? target.group_id) as string);
  const share = { id, ...target, access, shared_by_user_id: null, created_at: new Date().toISOString() };
  type Shared = typeof key & { shares: Record<string, typeof share> };
  await table.update<Shared>(key, { set: { shares: unlessThere({}) } });
  await table.update<Shared>(key, { set: { shares: at(id, share) } });
  if (target.group_id === null) return;
  const row = { account_id, record_type: 'contacts', record_id: contact_id };
  await table.put({ ...keys.groupShare(target.group_id, 'contacts', contact_id), ...row });
}

export const proposeHeadline = (workspace: Workspace, user: TestUser, record_id: string) =>
  givenProposal(workspace, user, {
    action_type: 'contact.update',
    params: { record_id, headline: 'Analyst' },
  });

let made = 0;

/** A contact with a long comment, one with more reactions than fit into a transaction, tags, shares, proposals. */
export async function givenRecord(workspace: Workspace, { reactions = 120 } = {}) {
  const { ada, grace, linus } = workspace;
  made += 1;
  const group_id = (await ada.api.createGroup({ body: { group: { name: `Readers ${made}` } } })).body.group
    .id;
  const address = `gone-${made}@life.example`;
  const draft = { email_addresses: [{ email_address: address }], external_id: `gone-${made}` };
  const { id } = await givenContact(ada, draft);
  const long = {
    html_content: 'a'.repeat(199_000),
    // Enough for content that is stored apart from its comment.
    json_content: documentOf({ type: 'text', text: 'b'.repeat(2_000) }),
  };
  const first = await comment(grace, id, long);
  await comment(ada, id, { parent_comment_id: first.id });
  const loved = await comment(linus, id);
  await givenReactions(workspace, grace, { id }, loved, reactions, 'contacts');
  await ada.api.addReaction({ params: { comment_id: first.id }, body: { reaction: { text: '👍' } } });
  const tag_ids = [await tag(ada, id, 'Shared tag'), await tag(ada, id, `Own tag ${made}`)];
  await givenShare(workspace, id, { user_id: linus.user.id, group_id: null });
  await givenShare(workspace, id, { user_id: null, group_id });
  const rejected = await proposeHeadline(workspace, ada, id);
  await ada.api.rejectProposal({ params: { proposal_id: rejected.id }, body: {} });
  const open = [await proposeHeadline(workspace, ada, id), await proposeHeadline(workspace, grace, id)];
  return { id, address, draft, group_id, tag_ids, comment_ids: [first.id, loved.id], rejected, open };
}

export type GivenRecord = Awaited<ReturnType<typeof givenRecord>>;

export async function deleteAs({ table, ctx }: Workspace, user: TestUser, id: string): Promise<void> {
  await deleteContact({ ...ctx, caller: await callerOf(table, user.user) }, id);
}

/** Runs the worker of the queue once for each job. */
export async function runRemovals(
  { ctx, table }: Pick<Workspace, 'ctx' | 'table'>,
  timeIsUp = () => false,
): Promise<void> {
  for (const { id, body } of await openJobs(table, 'remove-records'))
    await removeRecord(ctx, id, body as unknown as RemovedRecord, timeIsUp);
}

/** Everything that is due some days from now, and its jobs. */
export async function afterDays(workspace: Workspace, days: number, timeIsUp = () => false): Promise<void> {
  workspace.setTime(new Date(Date.now() + days * 86_400_000));
  try {
    await doDueWork();
    await runRemovals(workspace, timeIsUp);
  } finally {
    workspace.setTime(undefined);
  }
}

/** Ends the rest of all deleted records, and then the list of them. */
export async function purgeAll(workspace: Workspace): Promise<void> {
  await runRemovals(workspace);
  for (const days of [31, 125]) await afterDays(workspace, days);
}

/** The items under a record, and those that refer to it. */
export async function leftOf({ table }: Workspace, given: GivenRecord): Promise<string[]> {
  const under = await table.all(keys.record('contacts', given.id).PK);
  const pointers = await table.getMany([
    ...given.comment_ids.map(keys.commentPointer),
    ...given.open.flatMap(({ id, user_id }) => [
      keys.proposal(id),
      keys.posting(user_id, statusList('pending'), id),
    ]),
    keys.groupShare(given.group_id, 'contacts', given.id),
  ]);
  return [...under, ...pointers].map(({ PK, SK }) => `${PK} ${SK}`);
}
