import type { Context } from '#shared/context.ts';
import { type DueWork, doneWrite } from '#shared/domain/collaboration/due/due.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, update, type Write } from '#shared/table/table.ts';
import type { Due } from '../sending/job.ts';
import { digestMail } from './mail.ts';

/** Notifications that wait for the next digest of their user (docs/decisions/0070-mail-about-notifications.md). */

export type Digest = DueWork<'users'> & {
  account_id: string;
  /** Missing while only `more` are known. */
  notification_ids?: Set<string>;
  /** There were more than it names. */
  more?: true;
};

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Milliseconds: what is planned is written before its digest is due, so nobody gets two for one hour. */
const PLANNED_BEFORE = 3 * MINUTE;
/** A hundred lines are enough for a mail; what is found for them is read at once. */
export const MAX_LINES = 100;

/** Every user has a minute of the hour, so that a mail server takes them evenly. */
function digestMoment(user_id: string, now: Date): number {
  const minute = (Number.parseInt(user_id.slice(-4), 16) % 60) * MINUTE;
  return Math.ceil((now.getTime() + PLANNED_BEFORE - minute) / HOUR) * HOUR + minute;
}

/** The writes that add notifications to the digests of their users. */
export async function digestWrites(
  { table, clock }: Context,
  account_id: string,
  due: Due[],
): Promise<Write[]> {
  const now = clock();
  const byUser = [...Map.groupBy(due, ({ user_id }) => user_id)];
  const keyOfUser = (user_id: string) => keys.dueDigest(digestMoment(user_id, now), user_id);
  const waiting = await table.getMany<Digest>(byUser.map(([user_id]) => keyOfUser(user_id)));
  const sizes = new Map(waiting.map((each) => [each.record_id, each.notification_ids?.size ?? 0]));
  return byUser.map(([user_id, own]) => {
    const set = {
      ...({ work: 'digest', record_type: 'users', record_id: user_id, account_id } as const),
      at: digestMoment(user_id, now),
      version: newId(now),
    };
    const ids = own.map(({ notification_id }) => notification_id);
    const full = (sizes.get(user_id) ?? 0) + ids.length > MAX_LINES;
    return update<Digest>(
      keyOfUser(user_id),
      full ? { set: { ...set, more: true } } : { set, add: { notification_ids: new Set(ids) } },
    );
  });
}

/** Mails a digest that is due. One that grows at the same moment is left to the next run. */
export async function mailDigest(ctx: Context, digest: Digest): Promise<void> {
  const { account_id, record_id: user_id, notification_ids = new Set(), more = false } = digest;
  const data = { account_id, user_id, notification_ids: [...notification_ids].sort(), more };
  try {
    await commit(ctx, { writes: [doneWrite(digest)], jobs: [mailJob(digestMail, data, ctx.now)] });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
