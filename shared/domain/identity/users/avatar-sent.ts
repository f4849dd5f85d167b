import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Write } from '#shared/table/table.ts';
import type { User, UserChanges } from './user.ts';

/** The bytes of an upload as a picture, which the writes keep. */
export interface KeptAvatar {
  avatar_id: string;
  writes: Write[];
}

/** Of an upload of the caller. */
export type KeepsAvatars = (ctx: CallerContext, upload_id: string) => Promise<KeptAvatar>;

/** `null` removes the picture. */
export async function avatarSent(
  ctx: CallerContext,
  { avatar_upload_id }: UserChanges,
  keep: KeepsAvatars,
): Promise<{ avatar: Pick<User, 'avatar_id'>; writes: Write[] }> {
  if (avatar_upload_id === undefined) return { avatar: {}, writes: [] };
  if (avatar_upload_id === null) return { avatar: { avatar_id: null }, writes: [] };
  const { avatar_id, writes } = await keep(ctx, avatar_upload_id);
  return { avatar: { avatar_id }, writes };
}
