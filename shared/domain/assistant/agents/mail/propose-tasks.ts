import { Temporal } from 'temporal-polyfill';
import { asOfNow } from '#shared/context.ts';
import type { AgentRun } from '#shared/domain/assistant/agents/agent-run.ts';
import { plainName } from '#shared/domain/assistant/agents/plain-name.ts';
import type { FoundTask } from '#shared/domain/assistant/answering/assistant.ts';
import { counted } from '#shared/domain/assistant/answering/usage.ts';
import { findContactsByAddress } from '#shared/domain/crm/contacts/addresses.ts';
import { type Found, look } from './look.ts';
import { arrivedAt, type NewMail, newMail } from './new-mail.ts';
import { told, writtenBy } from './told.ts';

/** Agent `auto_task`: what new mail asks the owner of its mailbox to do. */

const MAX_TASKS = 3;
const MAX_NAME = 200;
/** A day further ahead is a misunderstanding. */
const FURTHEST = { years: 2 };

const DUE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/;

/** By the reader's clock, never before the mail came. */
function dueOf(said: string | null, arrived: number, time_zone: string): object {
  const [, day, time] = DUE.exec(said ?? '') ?? [];
  if (day === undefined) return {};
  try {
    const first = Temporal.Instant.fromEpochMilliseconds(arrived).toZonedDateTimeISO(time_zone).toPlainDate();
    const due = Temporal.PlainDate.from(day, { overflow: 'reject' });
    const within = (a: Temporal.PlainDate, b: Temporal.PlainDate) => Temporal.PlainDate.compare(a, b) <= 0;
    if (!within(first, due) || !within(due, first.add(FURTHEST))) return {};
    if (time === undefined) return { due_at: day, all_day: true };
    const moment = due.toZonedDateTime({ timeZone: time_zone, plainTime: Temporal.PlainTime.from(time) });
    return { due_at: new Date(moment.epochMilliseconds).toISOString(), all_day: false };
  } catch {
    // No such day or time.
    return {};
  }
}

/** Private: others may see another part of the thread, or the contact alone. */
function draftOf(run: AgentRun, mail: NewMail, task: FoundTask, contact_ids: string[]): Found {
  const { caller, message } = mail;
  return {
    action_type: 'task.create',
    params: {
      name: plainName(task.name, MAX_NAME),
      ...dueOf(task.due, arrivedAt(message), caller.user.time_zone),
      thread_id: run.thread.id,
      contact_ids,
      visibility: 'private',
    },
    rationale: `Asked for in ${writtenBy(mail)}.`,
    agent_slug: 'auto_task',
    source: { type: 'thread', id: run.thread.id },
  };
}

async function tasksIn(run: AgentRun, mail: NewMail): Promise<Found[]> {
  const { ctx, assistant, configuration, thread, deadline } = run;
  const { caller, from } = mail;
  const [message, contacts] = await Promise.all([
    told(run, mail),
    findContactsByAddress({ ...asOfNow(ctx), caller }, [from.email_address]),
  ]);
  const work = { account_id: thread.account_id, purpose: configuration.agent_slug, assistant };
  const { tasks } = await counted(ctx, work, () =>
    assistant.findTasks(message, configuration.instructions, deadline),
  );
  const contact_ids = [...contacts.values()].map(({ id }) => id);
  return tasks.slice(0, MAX_TASKS).map((task) => draftOf(run, mail, task, contact_ids));
}

export async function proposeTasks(run: AgentRun): Promise<void> {
  for (const mail of await newMail(run)) await look(run, mail, () => tasksIn(run, mail));
}
