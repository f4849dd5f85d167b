import { DAYS_KEPT } from '#shared/domain/identity/accounts/closed.ts';
import { linkTo } from '#shared/domain/identity/openid/link.ts';
import { opening } from '#shared/domain/identity/sockets/socket.ts';
import { takeAddress } from '#shared/domain/identity/users/addresses.ts';
import { newInvitation } from '#shared/domain/identity/users/open-invitation.ts';
import { addToWaitlist } from '#shared/domain/identity/waitlist/store.ts';
import type { Waitlistee } from '#shared/domain/identity/waitlist/waitlistee.ts';
import { requestSorting } from '#shared/domain/platform/text-index/sorting.ts';
import { keys } from '#shared/table/keys.ts';
import { remove } from './deletions.ts';
import { uploadFile } from './files.ts';
import { importFile } from './imports.ts';
import { eml, givenMailbox, importMail } from './mail.ts';
import { createRecords } from './records.ts';
import { runRemovals } from './removed-records.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Accounts with items of every kind, and what is left of them. */

const DAY = 86_400_000;

/** Milliseconds: a moment at which accounts that are closed now are erased. */
export const eraseDate = (): number => Math.ceil((Date.now() + DAYS_KEPT * DAY) / DAY) * DAY;

/** The keys of all objects in the bucket. */
export async function listObjects({ ctx }: Workspace): Promise<string[]> {
  const { s3_endpoint, bucket_name } = ctx.config;
  const text = await (await fetch(`${s3_endpoint}/${bucket_name}?list-type=2`)).text();
  return [...text.matchAll(/<Key>([^<]*)</g)].map((match) => match[1] as string);
}

/** Mail with an attachment and a long text, which are objects, from somebody who becomes a contact. */
async function fillMailbox(workspace: Workspace, user: TestUser): Promise<string> {
  const box = await givenMailbox(workspace, user, user.user.account_id);
  const text = 'Dear all, the offer is attached. '.repeat(2_000);
  await importMail(workspace, user, box, [
    eml({ id: `first-${box}@x`, from: 'Cust Omer <customer@x.example>', to: user.user.email_address, text }),
  ]);
  await requestSorting(workspace.ctx, box);
  return box;
}

/** What people leave outside of the records: addresses, links to providers, the waitlist. */
async function signUp({ table, ctx }: Workspace, { user }: TestUser): Promise<void> {
  const { email_address, id } = user;
  const identity = { issuer: 'https://issuer.example', subject: id, email_address };
  await addToWaitlist(table, { email_address }, ctx.now);
  await table.transact([
    await takeAddress(table, user),
    linkTo(identity as Parameters<typeof linkTo>[0], user, undefined, () => new Error('linked')),
  ]);
  await table.update<Waitlistee>(keys.waitlistee(email_address), { set: { status: 'joined' } });
}

/** People whom others name: linked, merged, deleted and imported. */
async function fillContacts(workspace: Workspace, user: TestUser): Promise<string> {
  const { api } = user;
  const contactOf = async (contact: object) =>
    (await api.createContact({ body: { contact: { name: 'Cust Omer', ...contact } } })).body.contact.id;
  const organization = { name: 'Customers', domains: ['x.example'] };
  const { id } = (await api.createOrganization({ body: { organization } })).body.organization;
  const contact_id = await contactOf({
    employments: [{ organization: { id }, current: true }],
    email_addresses: [{ email_address: 'customer@x.example' }],
  });
  const contact_id_to_merge = await contactOf({});
  await api.mergeContacts({ params: { contact_id }, body: { contact_id_to_merge } });
  await remove.contacts(user, await contactOf({ name: 'Gone' }));
  await runRemovals(workspace);
  await importFile(workspace, user, { bytes: 'name\nIm Ported\n' });
  return contact_id;
}

/** What takes a provider, an agent, a clock or documents to come about. */
async function putRest({ table }: Workspace, { user, reader }: TestUser, box: string, task_id: string) {
  const { id, account_id } = user;
  const [thread] = (await reader.listThreads()).body.collection.records;
  const { messages } = (await reader.retrieveThread({ params: { id: thread?.id ?? '' } })).body.thread;
  await table.writeMany([
    { put: newInvitation({ id, account_id, email_address: `invited by ${id}` }) },
    { put: { ...keys.acquaintance(box, 'customer@x.example'), email_address: 'customer@x.example' } },
    { put: keys.meeting(account_id, 'hash') },
    { put: { ...keys.serverResource('calendar', 'https://x.example/a.ics'), account_id } },
    { put: keys.owedEvent(box, 'event') },
    { put: keys.mailFolder(box, 'folder') },
    { put: { ...keys.mailCopy('folder', '1', 1), account_id, mailbox_id: box } },
    { put: keys.mailCopyOf(box, 'message', 'folder', '1', 1) },
    { put: keys.termsAssent(id, 'terms', '1') },
    { put: keys.look(messages?.[0]?.id ?? '', 'auto_task') },
    { put: keys.reminded('tasks', task_id, Date.now()) },
    { put: { ...keys.socketTicket(`ticket of ${id}`), account_id, user_id: id } },
    ...opening({ account_id, user_id: id, credential: { kind: 'session', id } }, `of ${id}`, new Date())
      .writes,
  ]);
}

/** Items of all kinds in the account of a user. */
export async function fillAccount(workspace: Workspace, user: TestUser): Promise<void> {
  await signUp(workspace, user);
  await createRecords(workspace, user);
  const box = await fillMailbox(workspace, user);
  const contact_id = await fillContacts(workspace, user);
  await uploadFile(user, { contact_ids: [contact_id] });
  const due = { due_at: '2099-01-01T10:00:00Z', reminders: [30], contact_ids: [contact_id] };
  const { task } = (await user.api.createTask({ body: { task: { name: 'Call', ...due } } })).body;
  await user.api.createGroup({
    body: { group: { name: `Team of ${user.user.name}` } },
    headers: { 'Idempotency-Key': 'once' },
  });
  await user.api.createDailyBriefing();
  await putRest(workspace, user, box, task.id);
}
