import { asOfNow } from '#shared/context.ts';
import type { AgentRun } from '#shared/domain/assistant/agents/agent-run.ts';
import { isImpossible, planOffer } from '#shared/domain/assistant/agents/offer.ts';
import type { ActionContext } from '#shared/domain/assistant/proposals/actions/action.ts';
import type { ProposalDraft } from '#shared/domain/assistant/proposals/propose.ts';
import { type Change, commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed, type Item, mustNotExist, update, type Write } from '#shared/table/table.ts';
import type { NewMail } from './new-mail.ts';

/**
 * An agent looks at a message once (docs/decisions/0058). What it found is stored before any of it is proposed, and each
 * proposal takes its draft away in the transaction that makes it: nothing is proposed twice, in any order of deliveries.
 */
export type Look = Item & {
  message_id: string;
  /** For whom; missing in looks from before this was kept. */
  user_id?: string;
  /** JSON of what is still to be proposed. */
  drafts: string[];
};

/** What an agent found, with what only the agent knows of it. */
export interface Found extends ProposalDraft {
  /** Decided by people, in either mode. */
  only_proposed?: true;
}

/** Seconds. */
const REMEMBERED = 30 * 86_400;

async function remember(
  { ctx }: AgentRun,
  key: Key,
  { message, caller }: NewMail,
  found: Found[],
): Promise<void> {
  const drafts = found.map((draft) => JSON.stringify(draft));
  const expires_epoch = Math.ceil(ctx.clock().getTime() / 1_000) + REMEMBERED;
  try {
    const seen: Look = { ...key, message_id: message.id, user_id: caller.user.id, drafts, expires_epoch };
    await ctx.table.put(seen, mustNotExist);
  } catch (error) {
    // Another worker looked first: what it found counts.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Writes that go with a proposal. */
export type Beside = (ctx: ActionContext, found: Found) => Promise<Write[]>;

async function changeFor(run: AgentRun, ctx: ActionContext, found: Found, beside: Beside): Promise<Change> {
  const { only_proposed, ...draft } = found;
  const mode = only_proposed ? 'suggest' : run.configuration.mode;
  return together(await planOffer(ctx, mode, draft), await beside(ctx, found));
}

/** Makes the next proposal; false when there is none. */
const offerNext = (run: AgentRun, { caller }: NewMail, key: Key, beside: Beside): Promise<boolean> =>
  retryOnConflict(async () => {
    const seen = await run.ctx.table.get<Look>(key);
    const [next, ...rest] = seen?.drafts ?? [];
    // A worker that looked at the same time may have looked for another user.
    if (next === undefined || (seen?.user_id ?? caller.user.id) !== caller.user.id) return false;
    const ctx = { ...asOfNow(run.ctx), caller };
    const taken = [update<Look>(key, { set: { drafts: rest }, when: { drafts: [next, ...rest] } })];
    try {
      await commit(ctx, together(await changeFor(run, ctx, JSON.parse(next), beside), taken));
    } catch (error) {
      if (!isImpossible(error)) throw error;
      await commit(ctx, together(noChange, taken));
    }
    return true;
  });

/** Proposes what `search` finds in a message, unless another worker has found something already. */
export async function look(
  run: AgentRun,
  mail: NewMail,
  search: () => Promise<Found[]>,
  beside: Beside = async () => [],
): Promise<void> {
  const key = keys.look(mail.message.id, run.configuration.agent_slug);
  if (!mail.is_found) await remember(run, key, mail, await search());
  while (await offerNext(run, mail, key, beside));
}
