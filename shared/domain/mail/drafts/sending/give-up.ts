import { asOfNow, type Context } from '#shared/context.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { complete, type Job } from '#shared/domain/platform/jobs/job.ts';
import type { SendingBody } from '../due.ts';
import { findDraft } from '../policy.ts';
import { notMade, unknownDelivery } from './failures.ts';
import { fail, giveBack } from './transitions.ts';

/**
 * Ends a sending that the sweep gives up, because the process of every worker ended: the draft has failed, and may be sent
 * again. A worker that has it after all changes it first, or finds it failed.
 */
export async function giveUpSending(ctx: Context, job: Job): Promise<void> {
  const { user_id, draft_id } = job.body as SendingBody;
  const draft = await findDraft(ctx.table, user_id, draft_id);
  const underWay = draft?.status === 'queued' || draft?.status === 'sending';
  if (!underWay || draft.sending_id !== job.id) return ctx.table.transact([complete(job.id)]);
  const ending = asOfNow(ctx);
  const caller = await callerFor(ctx.table, draft);
  if (!caller) return giveBack(ending, draft, job);
  const unsure = draft.on_wire === true;
  await fail({ ...ending, caller }, draft, job.id, unsure ? unknownDelivery : notMade.failure, unsure);
}
