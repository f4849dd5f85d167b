import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update, type Write } from '#shared/table/table.ts';
import { requireTag } from './policy.ts';
import { tagAsRead, tagIsLive, tagNames } from './store.ts';
import { presentTag, type Tag } from './tag.ts';

/**
 * Deletes a tag by marking it, for any number of records: responses skip marked tags, or show their
 * replacement. Its name is free at once. A job cleans up its records later.
 */
function deletion(tag: Tag, replacement_tag_id: string | null, now: Date): Write[] {
  return [
    update<Tag>(keys.tag(tag.account_id, tag.id), {
      set: { deleted_at: now.toISOString(), replacement_tag_id },
      when: tagAsRead(tag),
    }),
    tagNames.free(tag.account_id, tag.name, tag.id),
    ...(replacement_tag_id === null
      ? []
      : [{ check: keys.tag(tag.account_id, replacement_tag_id), when: tagIsLive }]),
  ];
}

/** 404 when one of the tags is not in the account; 403 for everyone except admins. */
export function deleteTag(ctx: CallerContext, id: string, replacement_tag_id: string | null): Promise<void> {
  // Not a 404: for a retried DELETE that would mean that the tag is deleted.
  if (replacement_tag_id === id) throw invalidField('replacement_tag_id', 'invalid', 'must be another tag');
  return retryOnConflict(async () => {
    const [tag] = await Promise.all([
      requireTag(ctx, id),
      replacement_tag_id === null ? undefined : requireTag(ctx, replacement_tag_id),
    ]);
    requireAdmin(ctx.caller);
    requireVersion(ctx, id, presentTag(tag));
    const job = newJob('clean-up-tag', { account_id: tag.account_id, tag_id: id }, ctx.now);
    await commit(ctx, { writes: deletion(tag, replacement_tag_id, ctx.now), jobs: [job] });
  });
}
