import type { Called } from '#shared/context.ts';
import type { User } from './user.ts';

/** Whoever knows the address of a picture sees it, as `<img>` sends no key; nobody can guess it. Null without one. */
export function avatarUrl(
  { account_id, avatar_id }: Pick<User, 'account_id' | 'avatar_id'>,
  { base_url }: Called,
): string | null {
  return avatar_id ? `${base_url}/accounts/${account_id}/avatars/${avatar_id}` : null;
}
