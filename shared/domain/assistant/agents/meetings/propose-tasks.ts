import { isImpossible } from '#shared/domain/assistant/agents/offer.ts';
import { plainName } from '#shared/domain/assistant/agents/plain-name.ts';
import { replaced, unanswered } from '#shared/domain/assistant/agents/unanswered.ts';
import type { MeetingNotes } from '#shared/domain/assistant/answering/assistant.ts';
import { ReplyDraft } from '#shared/domain/assistant/answering/draft.ts';
import type { Outcome } from '#shared/domain/assistant/answering/work.ts';
import type { ActionContext } from '#shared/domain/assistant/proposals/actions/action.ts';
import { draftProposal, type ProposalDraft } from '#shared/domain/assistant/proposals/propose.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { foldName } from '#shared/folding.ts';

/** The reply with what came of a meeting: a text, and the tasks that follow from it. */

const MAX_TASKS = 5;
const MAX_NAME = 200;
const MAX_WHO = 60;

/** A colleague by name or address. */
function assigneeOf(users: User[], who: string | null): string | undefined {
  const wanted = foldName(who ?? '');
  const found = users.filter(
    ({ name, email_address, status }) =>
      status === 'active' && (foldName(name) === wanted || foldName(email_address) === wanted),
  );
  return found.length === 1 ? found[0]?.id : undefined;
}

function draftOf(
  task: MeetingNotes['tasks'][number],
  calendar_event_id: string,
  users: User[],
): ProposalDraft {
  const assigned_user_id = assigneeOf(users, task.who);
  return {
    action_type: 'task.create',
    params: {
      name: plainName(task.name, MAX_NAME),
      calendar_event_id,
      ...(task.due_on === null ? {} : { due_at: task.due_on, all_day: true }),
      ...(assigned_user_id === undefined ? {} : { assigned_user_id }),
    },
    rationale: `${task.who === null ? 'Said' : `${plainName(task.who, MAX_WHO)} said so`} in the meeting.`,
    agent_slug: 'auto_meeting',
    source: { type: 'calendar_event', id: calendar_event_id },
  };
}

/** Those of an earlier transcript are not answered any more. */
async function withdrawEarlier(ctx: ActionContext, event_id: string): Promise<void> {
  for (const proposal of await unanswered(ctx, { agent_slug: 'auto_meeting' }))
    if (proposal.source?.id === event_id)
      await ctx.table.transact(replaced(proposal, 'The transcript was replaced.', ctx.now));
}

/** A task that cannot be proposed does not cost the others, nor the notes. */
async function offer(ctx: ActionContext, reply: ReplyDraft, draft: ProposalDraft): Promise<void> {
  try {
    const { proposal, ...change } = await draftProposal(ctx, draft);
    reply.add({ type: 'proposal', proposal_id: proposal.id }, [], change);
  } catch (error) {
    if (!isImpossible(error)) throw error;
  }
}

/** In either mode: what was said in a meeting is for people to decide. */
export async function proposeTasks(
  ctx: ActionContext,
  event_id: string,
  { text, tasks }: MeetingNotes,
): Promise<Outcome> {
  const users = await listUsers(ctx.table, ctx.caller.account.id);
  await withdrawEarlier(ctx, event_id);
  const reply = new ReplyDraft();
  for (const task of tasks.slice(0, MAX_TASKS)) await offer(ctx, reply, draftOf(task, event_id, users));
  return { reply: reply.finish(text, () => false), ...reply.change };
}
