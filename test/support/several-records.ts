import { newNotification, notify } from '#shared/domain/collaboration/notifications/notification.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { ask } from './conversations.ts';
import { givenEvent } from './events.ts';
import { givenUpdate } from './proposals.ts';
import { createRecords, type Records } from './records.ts';
import { runRemovals } from './removed-records.ts';
import { givenThread } from './threads.ts';
import type { TestUser, Workspace } from './workspace.ts';

async function oneMore(workspace: Workspace, user: TestUser, records: Records): Promise<void> {
  const { api } = user;
  const { contacts: contact_id = '', calendars = '', conversations = '' } = records;
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const later = new Date(Date.now() + 7_200_000).toISOString();
  await api.createTask({ body: { task: { name: 'One more', contact_ids: [contact_id] } } });
  await api.createDeal({ body: { deal: { name: 'One more' } } });
  await givenEvent(user, calendars, { starts_at: soon, ends_at: later });
  await api.createConversation({ body: { conversation: {} } });
  await ask(user, conversations);
  await givenUpdate(workspace, user);
  await givenThread(workspace, { users: [user] });
  const params = { id: contact_id };
  await api.updateContact({ params, body: { contact: { headline: soon } } });
  const gone = (await api.createContact({ body: { contact: { name: 'One less' } } })).body.contact;
  await api.deleteContact({ params: { id: gone.id } });
}

/** Copies of what is stored directly, which work in the background would make. */
async function copies({ table, ctx }: Workspace, { user }: TestUser, records: Records): Promise<void> {
  const id = newId(ctx.now);
  for (const [key, copy] of [
    [keys.recordExport(user.id, records.exports ?? ''), keys.recordExport(user.id, id)],
    [keys.recordImport(user.id, records.imports ?? ''), keys.recordImport(user.id, id)],
  ] as const)
    await table.put({ ...(await table.get(key)), ...copy, id });
  const told = { user_id: user.id, event: 'comment_added', prompting_user_id: null } as const;
  const payload = { id: user.id, record_type: 'user', name: 'Somebody' };
  await table.transact([notify(newNotification({ ...told, payload }, ctx.now))]);
}

/** Several records in every list that has pages. */
export async function severalRecords(workspace: Workspace, user: TestUser): Promise<Records> {
  const records = await createRecords(workspace, user);
  for (const _ of [1, 2]) {
    await oneMore(workspace, user, records);
    await copies(workspace, user, records);
  }
  await runRemovals(workspace);
  return records;
}
