import type { Called } from '#shared/context.ts';
import type { User } from './user.ts';

/** Whoever knows the address of a picture sees it, as `<img>` sends no key; nobody can guess it. Null without one. */
export function avatarUrl({ avatar_id }: Pick<User, 'avatar_id'>, { base_url }: Called): string | null {
  return avatar_id ? `${base_url}/avatars/${avatar_id}` : null;
}
