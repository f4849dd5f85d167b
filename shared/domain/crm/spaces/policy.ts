import { requireEditable, requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError } from '#shared/errors.ts';
import type { Space } from './space.ts';

/** A space that the caller sees. 404 for any other. */
export const requireSpace = (ctx: CallerContext, id: string) => requireRecord<Space>(ctx, 'spaces', id);

/** A space that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditableSpace = (ctx: CallerContext, id: string) =>
  requireEditable<Space>(ctx, 'spaces', id);

/** Its owner, and admins. */
export const mayDelete = ({ user_id }: Space, user: User) => user_id === user.id || isAdmin(user);

/** A space that the caller may delete: its owner, and admins who see it. 403 for others. */
export async function requireDeletableSpace(ctx: CallerContext, id: string): Promise<Space> {
  const space = await requireSpace(ctx, id);
  if (!mayDelete(space, ctx.caller.user)) throw new ApiError('permission_denied');
  requireVersion(ctx, id, space);
  return space;
}
