import type { Context } from '#shared/context.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keyOf } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { readUnsubscribeToken, type Whose } from './token.ts';

/** Ending mail about notifications by a link in it, which needs no session (RFC 8058). */

/** 400 for a link that the service did not make in the last year. Reads nothing. */
export function requireToken({ config, now }: Context, token: string): Whose {
  const whose = readUnsubscribeToken(config.cursor_keys, token, now);
  if (!whose) throw invalidField('token', 'invalid', 'is not of a mail of the last year');
  return whose;
}

function withoutMail(settings: User['notification_settings']): User['notification_settings'] {
  return Object.fromEntries(
    Object.entries(settings).map(([event, setting]) => [event, { ...setting, email: false }]),
  );
}

const isMailed = ({ notification_settings }: User) =>
  Object.values(notification_settings).some(({ email }) => email);

/**
 * Turns mail off for each event of the user, in any status, so the user finds it off in the own settings. Nothing for a
 * user who has it off, or is there no more.
 */
export async function unsubscribe(ctx: Context, token: string): Promise<void> {
  const { account_id, user_id } = requireToken(ctx, token);
  await retryOnConflict(async () => {
    const [before] = await findUsers(ctx.table, account_id, [user_id]);
    if (!before || !isMailed(before)) return;
    const { notification_settings, updated_at } = before;
    await ctx.table.update<User>(
      keyOf(before),
      {
        set: {
          notification_settings: withoutMail(notification_settings),
          updated_at: nextMoment(before, ctx.now),
        },
        when: { status: before.status, updated_at },
      },
      'NONE',
    );
  });
}
