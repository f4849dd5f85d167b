import type { AgentSlug } from '#shared/domain/assistant/agents/agent.ts';
import type { ThreadWork } from '#shared/domain/assistant/agents/thread-work.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/run-thread-agents.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import { type Draft, eml, givenMailbox, importMail } from './mail.ts';
import { startWorkspace, type TestUser, type Workspace } from './workspace.ts';

/** Agents that look at new mail, whose messages the test delivers. */

export interface MailAgents {
  workspace: Workspace;
  ada: TestUser;
  grace: TestUser;
  mailboxes: { ada: string; grace: string };
}

/** When the mail of these tests comes: a Tuesday. */
export const ARRIVES = new Date('2026-11-10T10:30:00Z');

export async function startMailAgents(): Promise<MailAgents> {
  const workspace = await startWorkspace({ files: true, own_table: true });
  const { ada, grace } = workspace;
  workspace.setTime(ARRIVES);
  const mailboxes = {
    ada: await givenMailbox(workspace, ada),
    grace: await givenMailbox(workspace, grace),
  };
  return { workspace, ada, grace, mailboxes };
}

export const configure = ({ ada }: MailAgents, agent_slug: AgentSlug, agent_configuration: object) =>
  ada.api.updateAgentConfiguration({ params: { agent_slug }, body: { agent_configuration } });

let number = 0;

export type Sent = Omit<Partial<Draft>, 'id'> & { id?: string };

/** A mail with ids, subject and date of its own. */
export function letter(draft: Sent = {}): Required<Pick<Draft, 'id' | 'subject'>> & Draft {
  number += 1;
  const date = 'Tue, 10 Nov 2026 10:00:00 +0000';
  return { id: `letter-${number}@x`, subject: `Letter ${number}`, date, ...draft };
}

/** Whether the user may ask the assistant. */
export const optIn = ({ workspace }: MailAgents, { user }: TestUser, assistant_enabled: boolean) =>
  workspace.table.update<User>(keys.user(user.account_id, user.id), { set: { assistant_enabled } });

/** Imports mail; its agents wait for `deliver`. */
export const arrive = ({ workspace, ada, mailboxes }: MailAgents, mail: Draft[]) =>
  importMail(workspace, ada, mailboxes.ada, mail.map(eml));

export const arriveAtGrace = ({ workspace, grace, mailboxes }: MailAgents, mail: Draft[]) =>
  importMail(workspace, grace, mailboxes.grace, mail.map(eml));

export const openWork = ({ workspace }: MailAgents) =>
  openJobs<ThreadWork>(workspace.table, 'run-thread-agents');

/** Delivers the messages of jobs, each `times` at once; the number of those that failed. */
export async function deliverWork(jobs: ThreadWork[], times = 1): Promise<number> {
  const deliveries = Array.from({ length: times }, () =>
    deliverMessages(
      handler,
      jobs.map(({ id }) => ({ job_id: id })),
      600_000,
    ),
  );
  return (await Promise.all(deliveries)).flatMap(({ failed }) => failed).length;
}

/** The same for all jobs. */
export const deliver = async (agents: MailAgents, times = 1) => deliverWork(await openWork(agents), times);

type Records = Awaited<ReturnType<TestUser['reader']['listProposals']>>['body']['collection']['records'];

export async function proposalsOf(user: TestUser, agent_slug: AgentSlug): Promise<Records> {
  const found: Records = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = { agent_slug, status: 'all', per_page: 100, page } as const;
    const { collection } = (await user.reader.listProposals({ query })).body;
    found.push(...collection.records);
    pages = collection.pages;
  }
  return found;
}

/** Those that came from the thread with the subject, oldest first, then by what is proposed. */
export async function proposalsFor(user: TestUser, agent_slug: AgentSlug, subject: string) {
  const { records } = (await user.reader.listThreads({ query: { subject } })).body.collection;
  const all = await proposalsOf(user, agent_slug);
  const title = (each: (typeof all)[number]) => `${each.created_at} ${each.display.title}`;
  return all
    .filter(({ source }) => records.some(({ id }) => id === source?.id))
    .sort((a, b) => title(a).localeCompare(title(b)));
}
