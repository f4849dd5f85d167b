import type { Context } from '#shared/context.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import { recordNotFound } from '#shared/errors.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { presignGet } from '#shared/providers/files/presign.ts';

/** Seconds in which the link works, and those for which a browser may keep it. */
const LINK = 300;
export const KEPT = 240;

/** A link to the bytes, of the type they were uploaded with. 404 without such a picture, and in a closed account. */
export async function linkToAvatar(ctx: Context, account_id: string, avatar_id: string): Promise<string> {
  const key = objectKeys.avatar(account_id, avatar_id);
  const [size, active] = await Promise.all([bucketOf(ctx).size(key), isActive(ctx.table, account_id)]);
  if (size === undefined || !active) throw recordNotFound();
  return presignGet(ctx, key, {
    at: ctx.now,
    seconds: LINK,
    content_disposition: 'inline',
    // An id has the same bytes for ever.
    cache_control: 'private, max-age=31536000, immutable',
  });
}
