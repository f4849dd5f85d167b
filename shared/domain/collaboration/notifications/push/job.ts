import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { NotificationEvent } from '../event.ts';
import type { Notification } from '../notification.ts';

/**
 * Push messages are jobs of the transaction that writes their notifications. Who has no device costs nothing: the users
 * and the account of a request say so.
 */

/** A notification to push. */
export interface Due {
  user_id: string;
  notification_id: string;
  /** What is left after a failure; missing before the first try. */
  device_ids?: string[];
}

/** Each takes about 150 bytes of the job's item; a transaction has 100 of them at most. */
export type PushJob = Job & { account_id: string; due_pushes: Due[]; tries?: number };

/** docs/specification/notifications.md, "Push messages". */
export const wantsPush = (
  { device_ids, notification_settings }: Pick<User, 'device_ids' | 'notification_settings'>,
  event: NotificationEvent,
) => device_ids !== undefined && notification_settings[event]?.push !== false;

/** Those that their users want pushed. */
export function pushed<Told extends Pick<Notification, 'user_id' | 'event'>>(
  told: Told[],
  users: Iterable<User>,
): Told[] {
  const byId = new Map([...users].map((user) => [user.id, user]));
  return told.filter(({ user_id, event }) => {
    const user = byId.get(user_id);
    return user !== undefined && wantsPush(user, event);
  });
}

/** The job of new notifications; none when no user wants a push message. */
export function pushJobs(
  account_id: string,
  told: Notification[],
  users: Iterable<User>,
  now: Date,
): PushJob[] {
  const due_pushes = pushed(told, users).map(({ id, user_id }) => ({ user_id, notification_id: id }));
  if (due_pushes.length === 0) return [];
  return [{ ...newJob('push-notifications', {}, now), account_id, due_pushes }];
}

/** The same, for users who are not read yet: one more read in accounts with devices. */
export async function pushJobsOf(
  { table, caller: { account }, now }: CallerContext,
  told: Notification[],
): Promise<PushJob[]> {
  if (!account.has_devices || told.length === 0) return [];
  const ids = [...new Set(told.map(({ user_id }) => user_id))];
  return pushJobs(account.id, told, await findActiveUsers(table, account.id, ids), now);
}
