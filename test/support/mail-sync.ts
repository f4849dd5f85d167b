import { mailSyncJob } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { type PasswordLogin, sealedServer } from '#shared/domain/mail/servers/login.ts';
import type { MailServers } from '#shared/domain/mail/servers/server.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/sync-mailboxes.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import { givenMailbox, listAllThreads } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Mailboxes that are at a server. */

const server = { host: '127.0.0.1', port: 993, tls: true, username: 'ada', password: 'right password' };

/** A mailbox of the user as it is after connecting; it is not read yet. */
export async function givenConnected(
  workspace: Workspace,
  user: TestUser,
  imap: PasswordLogin = server,
): Promise<string> {
  const { table, ctx } = workspace;
  const { account_id } = user.user;
  const id = await givenMailbox(workspace, user, account_id);
  await table.update<Mailbox>(keys.mailbox(account_id, id), {
    set: {
      ...{ status: 'connecting', label_sync: true },
      mail_server: { imap: sealedServer(ctx.config, id, 'imap', imap), smtp: null, oauth: null },
    },
  });
  return id;
}

/** Has these servers stand in for those of the mailbox. */
export function serveMail(workspace: Workspace, servers: MailServers): void {
  workspace.ctx.stand_ins = { ...workspace.ctx.stand_ins, mail_server: () => servers };
}

export const mailboxOf = async ({ table }: Workspace, { user }: TestUser, id: string): Promise<Mailbox> =>
  (await table.get<Mailbox>(keys.mailbox(user.account_id, id))) as Mailbox;

/** Delivers the jobs of mail until none is left; a job that failed is left. */
export async function runMailSync(workspace: Workspace, remaining_ms = 900_000, rounds = 50): Promise<void> {
  const failed = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const jobs = (await openJobs<Job>(workspace.table, 'sync-mailboxes')).filter(({ id }) => !failed.has(id));
    if (jobs.length === 0) return;
    for (const { id, body } of jobs) {
      const result = await deliverMessages(handler, [{ job_id: id, ...body }], remaining_ms);
      if (result.failed.length > 0) failed.add(id);
    }
  }
}

/** Has the mailbox read now. */
export async function readMailbox(workspace: Workspace, user: TestUser, id: string): Promise<Mailbox> {
  const { ctx } = workspace;
  const job = mailSyncJob({ account_id: user.user.account_id, id }, ctx.clock());
  await commit(ctx, { writes: [], jobs: [job] });
  await runMailSync(workspace);
  return mailboxOf(workspace, user, id);
}

/** The subjects of all threads in the mailbox, in order. */
export async function subjectsIn(user: TestUser, mailbox_id: string): Promise<string[]> {
  const threads = await listAllThreads(user.reader, { mailbox_id });
  return threads.map(({ subject }) => `${subject}`).sort();
}
