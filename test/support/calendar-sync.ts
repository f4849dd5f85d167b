import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { handler } from '../../functions/queues/sync-calendars.ts';
import type { CaldavServer } from './caldav-server.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import { givenMailbox } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Mailboxes whose calendars are at a server. */

export const connect = (
  user: TestUser,
  id: string,
  caldav: { url: string; username?: string; password: string },
) =>
  user.session.updateMailboxCredentials({
    params: { id },
    body: { mailbox: { caldav: { username: 'ada', ...caldav } } },
  });

/** Delivers the jobs of calendars until none is left; a job that failed is left. */
export async function runSync(workspace: Workspace, remaining_ms = 200_000): Promise<void> {
  const failed = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const jobs = (await openJobs<Job>(workspace.table, 'sync-calendars')).filter(({ id }) => !failed.has(id));
    if (jobs.length === 0) return;
    for (const { id, body } of jobs) {
      const result = await deliverMessages(handler, [{ job_id: id, ...body }], remaining_ms);
      if (result.failed.length > 0) failed.add(id);
    }
  }
}

/** A mailbox of the user that follows the calendars of the server. */
export async function givenSynced(workspace: Workspace, user: TestUser, server: CaldavServer) {
  workspace.ctx.config.calendar_hosts.push(server.host);
  const mailbox_id = await givenMailbox(workspace, user, user.user.account_id);
  await connect(user, mailbox_id, { url: server.url, password: server.password });
  await runSync(workspace);
  return mailbox_id;
}

/** Has the calendars of the mailbox read. */
export async function syncNow(workspace: Workspace, user: TestUser, mailbox_id: string, full = false) {
  await user.api.syncMailbox({ params: { mailbox_id }, body: { full } });
  await runSync(workspace);
}
