import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { User } from './user.ts';

/** The job that removes a picture. Apart from what presents users, so that they bundle no client of queues. */
export const removalOfAvatar = (account_id: string, avatar_id: string, now: Date): Job =>
  newJob('remove-files', { account_id, avatar_id }, now);

/** The picture that a change replaces. */
export function replacedAvatar(before: User, after: User, now: Date): Job[] {
  const { avatar_id } = before;
  return avatar_id && avatar_id !== after.avatar_id
    ? [removalOfAvatar(before.account_id, avatar_id, now)]
    : [];
}
