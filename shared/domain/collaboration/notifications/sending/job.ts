import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { NotificationEvent } from '../event.ts';
import type { Notification } from '../notification.ts';

/**
 * Notifications are sent, to devices and by mail, by one job of the transaction that writes them. Who wants neither costs
 * nothing: the users and the account of a request say so.
 */

/** A notification to send. */
export interface Due {
  user_id: string;
  notification_id: string;
}

/** To the devices of its user. */
export type DuePush = Due & {
  /** What is left after a failure; missing before the first try. */
  device_ids?: string[];
};

/** A notification takes about 300 bytes of the job's item at most; a transaction has 100 of them. */
export type SendingJob = Job & {
  account_id: string;
  due_pushes: DuePush[];
  /** Missing once they are planned. */
  due_mails?: Due[];
  tries?: number;
};

type Wishes = Pick<User, 'device_ids' | 'notification_settings'>;

/** docs/specification/notifications.md, "Push messages". */
export const wantsPush = ({ device_ids, notification_settings }: Wishes, event: NotificationEvent) =>
  device_ids !== undefined && notification_settings[event]?.push !== false;

/** docs/specification/notifications.md, "Mail". */
export const wantsMail = (
  { notification_settings }: Pick<User, 'notification_settings'>,
  event: NotificationEvent,
) => notification_settings[event]?.email === true;

type Told = Pick<Notification, 'user_id' | 'event'>;

function wantedBy<T extends Told>(told: T[], users: Iterable<User>, wants: typeof wantsPush): T[] {
  const byId = new Map([...users].map((user) => [user.id, user]));
  return told.filter(({ user_id, event }) => {
    const user = byId.get(user_id);
    return user !== undefined && wants(user, event);
  });
}

/** Whether anything of these is sent. */
export const isAnySent = (told: Told[], users: Iterable<User>): boolean =>
  wantedBy(told, users, (user, event) => wantsPush(user, event) || wantsMail(user, event)).length > 0;

/** The job of new notifications; none when no user wants them sent. */
export function sendingJobs(
  account_id: string,
  told: Notification[],
  users: Iterable<User>,
  now: Date,
): SendingJob[] {
  const dueOf = (wants: typeof wantsPush) =>
    wantedBy(told, users, wants).map(({ id, user_id }): Due => ({ user_id, notification_id: id }));
  const [due_pushes, due_mails] = [dueOf(wantsPush), dueOf(wantsMail)];
  if (due_pushes.length + due_mails.length === 0) return [];
  const mails = due_mails.length > 0 ? { due_mails } : {};
  return [{ ...newJob('push-notifications', {}, now), account_id, due_pushes, ...mails }];
}

/** The same, for users who are not read yet: one more read in accounts where somebody wants them sent. */
export async function sendingJobsOf(
  { table, caller: { account }, now }: CallerContext,
  told: Notification[],
): Promise<SendingJob[]> {
  if (!(account.has_devices || account.has_notification_mail) || told.length === 0) return [];
  const ids = [...new Set(told.map(({ user_id }) => user_id))];
  return sendingJobs(account.id, told, await findActiveUsers(table, account.id, ids), now);
}
