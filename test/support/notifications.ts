import type { NotificationEvent } from '../../shared/domain/notifications/event.ts';
import { type Notification, notify } from '../../shared/domain/notifications/notification.ts';
import { keys } from '../../shared/table/keys.ts';
import type { TestUser, Workspace } from './workspace.ts';

const AT_ONCE = 100;

/** Notifications as the service writes them, a millisecond apart from `start` on. Gives their ids, oldest first. */
export async function givenNotifications(
  workspace: Workspace,
  user: TestUser,
  events: NotificationEvent[],
  start: Date,
): Promise<string[]> {
  const writes = events.map((event, i) => {
    const payload = { id: user.user.id, record_type: 'task', name: `${event} ${i}` };
    return notify(
      { user_id: user.user.id, event, payload, prompting_user_id: null },
      new Date(start.getTime() + i),
    );
  });
  for (let i = 0; i < writes.length; i += AT_ONCE)
    await workspace.table.transact(writes.slice(i, i + AT_ONCE));
  return writes.map((write) => (write as { put: Notification }).put.id);
}

/** Dismisses a notification. */
export async function dismissed(workspace: Workspace, user: TestUser, id: string, at: Date): Promise<void> {
  await workspace.table.update(keys.notification(user.user.id, id), {
    update: 'SET dismissed_at = :at',
    values: { ':at': at.toISOString() },
  });
}
