import type { Digest } from '#shared/domain/collaboration/notifications/mails/digest.ts';
import { DUE_SHARDS, keys } from '#shared/table/keys.ts';
import { handler as dueWork } from '../../functions/queues/do-due-work.ts';
import { handler as mail } from '../../functions/queues/mail-notifications.ts';
import { handler as send } from '../../functions/queues/push-notifications.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import { mailsTo } from './outgoing-mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Mail about notifications, step by step as its queues do it. Steps return how many messages failed. */

type Of = Pick<Workspace, 'table'>;

async function work({ table }: Of, queue: 'push-notifications' | 'mail-notifications'): Promise<number> {
  const jobs = await openJobs(table, queue);
  const handler = queue === 'push-notifications' ? send : mail;
  const { failed } = await deliverMessages(
    handler,
    jobs.map(({ id }) => ({ job_id: id })),
  );
  return failed.length;
}

export const planMails = (workspace: Of) => work(workspace, 'push-notifications');
export const sendNotificationMails = (workspace: Of) => work(workspace, 'mail-notifications');

export async function mailAll(workspace: Of): Promise<void> {
  await planMails(workspace);
  await sendNotificationMails(workspace);
}

export async function waitingDigests({ table }: Of): Promise<Digest[]> {
  const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => keys.dueShard(shard));
  const all = await Promise.all(shards.map((shard) => table.all<Digest>(shard.PK, shard.SK)));
  return all.flat().filter(({ work: kind }) => kind === 'digest');
}

/** Lets an hour and what is planned before it pass (63 minutes at most), and what is due be done. */
export async function mailDigests(workspace: Workspace, at = Date.now() + 3_900_000): Promise<void> {
  workspace.setTime(new Date(at));
  await dueWork();
  await sendNotificationMails(workspace);
}

/** What a user got, oldest first. */
export const mailsOf = (workspace: Pick<Workspace, 'outbox'>, { user }: TestUser) =>
  mailsTo(workspace, user.email_address);

/** The address that a mail program posts to. */
export function unsubscribeUrlOf({ headers }: { headers: { key: string; value: string }[] }): URL {
  const value = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  return new URL(value.replace(/^<(.*)>$/, '$1'));
}
