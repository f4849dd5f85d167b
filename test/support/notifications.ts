import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import {
  type Notification,
  newNotification,
  notify,
} from '#shared/domain/collaboration/notifications/notification.ts';
import { newUser } from '#shared/domain/identity/users/create.ts';
import { newId } from '#shared/ids.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { putAtOnce } from './seeding.ts';
import type { TestUser, Workspace } from './workspace.ts';

const AT_ONCE = 100;

/** Notifications as the service writes them, a millisecond apart from `start` on. Returns their ids, oldest first. */
export async function givenNotifications(
  workspace: Workspace,
  user: TestUser,
  events: NotificationEvent[],
  start: Date,
): Promise<string[]> {
  const writes = events.map((event, i) => {
    const payload = { id: user.user.id, record_type: 'task', name: `${event} ${i}` };
    return notify(
      newNotification(
        { user_id: user.user.id, event, payload, prompting_user_id: null },
        new Date(start.getTime() + i),
      ),
    );
  });
  for (let i = 0; i < writes.length; i += AT_ONCE)
    await workspace.table.transact(writes.slice(i, i + AT_ONCE));
  return writes.map((write) => (write as { put: Notification }).put.id);
}

/** `count` users of the user's account without keys, as recipients. Returns their ids. */
export async function givenColleagues(
  workspace: Workspace,
  user: TestUser,
  count: number,
  now = new Date(),
): Promise<string[]> {
  const { account_id, time_zone, week_starts_on } = user.user;
  const ids = Array.from({ length: count }, () => newId(now));
  const draft = (id: string, i: number) => ({
    id,
    account_id,
    email_address: `colleague-${id}@acme.example`,
    name: `Colleague ${i}`,
    first_name: null,
    last_name: null,
    role: 'member' as const,
    time_zone,
    week_starts_on,
  });
  await putAtOnce(workspace.table, async (table) => {
    for (const [i, id] of ids.entries()) await table.put(newUser(draft(id, i), now));
  });
  return ids;
}

/** Makes the users earlier commenters of a record. */
export async function givenCommenters(
  workspace: Workspace,
  record: { type: RecordType; id: string },
  user_ids: string[],
): Promise<void> {
  const rows = user_ids.map((user_id) => ({
    put: { ...keys.commenter(record.type, record.id, user_id, newId(new Date())), user_id },
  }));
  await workspace.table.writeMany(rows);
}

/** The stored notifications of a user, oldest first, in any state. */
export function storedNotifications(workspace: Workspace, user_id: string): Promise<Notification[]> {
  return workspace.table.all<Notification>(keys.notification(user_id, '').PK, 'EVENT#');
}
