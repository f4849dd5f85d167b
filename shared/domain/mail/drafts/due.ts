import type { Context } from '#shared/context.ts';
import { type DueWork, doneWrite } from '#shared/domain/collaboration/due/due.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { delayed, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Draft } from './draft.ts';

/** When a queued draft is sent: soon by a message that is delivered then, later by work that is due. */

export interface SendingBody extends Record<string, unknown> {
  user_id: string;
  draft_id: string;
}

/** A message of a queue cannot wait longer: seconds. */
const LONGEST_DELAY = 900;

export type DueDraft = DueWork<'drafts'> & { user_id: string; sending_id: string };

type Queued = Pick<Draft, 'id' | 'user_id'> & { sending_id: string };

const sendingJob = ({ id, user_id, sending_id }: Queued, now: Date): Job =>
  newJob('send-drafts', { user_id, draft_id: id } satisfies SendingBody, now, sending_id);

/** With the draft that becomes queued. */
export function sendingAt(draft: Queued, at: Date, now: Date): { writes: Write[]; jobs: Job[] } {
  const seconds = Math.ceil((at.getTime() - now.getTime()) / 1_000);
  const job = sendingJob(draft, now);
  if (seconds <= 0) return { writes: [], jobs: [job] };
  if (seconds <= LONGEST_DELAY) return { writes: [], jobs: [delayed(job, seconds)] };
  const { id, user_id, sending_id } = draft;
  const due: DueDraft = {
    ...keys.dueDraft(at.getTime(), id),
    ...{ work: 'send', record_type: 'drafts', record_id: id, at: at.getTime(), version: newId(now) },
    ...{ user_id, sending_id },
  };
  return { writes: [{ put: due }], jobs: [] };
}

/** Work that is due. Whether the draft is still to be sent, and by this job, its worker reads. */
export async function beginSending(ctx: Context, due: DueDraft): Promise<void> {
  const { record_id: id, user_id, sending_id } = due;
  const job = sendingJob({ id, user_id, sending_id }, ctx.now);
  await commit(ctx, { writes: [doneWrite(due)], jobs: [job] });
}
