import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isAdmin } from '#shared/domain/identity/users/user.ts';
import { enqueue, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { foldName } from '#shared/folding.ts';
import { keys } from '#shared/table/keys.ts';
import { updateExpression } from '#shared/table/requests.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { requireTag, tagStands } from './store.ts';
import type { Tag } from './tag.ts';

/**
 * A tag is deleted by marking it, whatever the number of records: everything that shows tags leaves marked ones out,
 * or shows their replacement. Its name is free at once. Its records are cleaned up later, by the job.
 */
function deletion(tag: Tag, replacement_tag_id: string | null, now: Date): Write[] {
  return [
    {
      key: keys.tag(tag.account_id, tag.id),
      update: { ...updateExpression({ deleted_at: now.toISOString(), replacement_tag_id }), ...tagStands },
    },
    // Fails when the tag was renamed.
    {
      delete: keys.tagName(tag.account_id, foldName(tag.name)),
      when: { condition: 'tag_id = :tag', values: { ':tag': tag.id } },
    },
    ...(replacement_tag_id === null
      ? []
      : [{ check: keys.tag(tag.account_id, replacement_tag_id), when: tagStands }]),
  ];
}

/** Gives the job of the clean-up. 404 when one of the tags is not the account's; 403 for all but admins. */
export function deleteTag(ctx: CallerContext, id: string, replacement_tag_id: string | null): Promise<Job> {
  // Not a 404: to a DELETE that is tried again, that would mean that the tag is deleted.
  if (replacement_tag_id === id) throw invalidField('replacement_tag_id', 'invalid', 'must be another tag');
  return retryOnConflict(async () => {
    const [tag] = await Promise.all([
      requireTag(ctx, id),
      replacement_tag_id === null ? undefined : requireTag(ctx, replacement_tag_id),
    ]);
    if (!isAdmin(ctx.caller.user)) throw new ApiError('permission_denied');
    const job = newJob('clean-up-tag', { account_id: tag.account_id, tag_id: id }, ctx.now);
    await ctx.table.transact([...deletion(tag, replacement_tag_id, ctx.now), enqueue(job)]);
    return job;
  });
}
