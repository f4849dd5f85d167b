import { audit } from '#shared/domain/identity/audit/audit.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  missing,
  present,
  type Table,
  type Update,
  update,
  type Write,
} from '#shared/table/table.ts';
import { requireSession } from './policy.ts';
import type { Session } from './session.ts';
import { listOpenSessions } from './store.ts';

type Named = Pick<Session, 'user_id' | 'id'>;
type EndedBy = NonNullable<Session['ended_by']>;

const change = (ended_by: EndedBy, now: Date): Update<Session> => ({
  set: { ended_at: now.toISOString(), ended_by },
  when: { PK: present, ended_at: missing },
});

/**
 * The write that ends a session: from then on its access tokens and its refresh tokens are refused. The item stays until
 * its time to live, so that its tokens are known to be revoked. Fails when it was over before.
 */
export function ending({ user_id, id }: Named, ended_by: EndedBy, now: Date): Write {
  return update<Session>(keys.session(user_id, id), change(ended_by, now));
}

/** False when it was over before. */
export async function endSession(
  table: Table,
  { user_id, id }: Named,
  ended_by: EndedBy,
  now: Date,
): Promise<boolean> {
  try {
    await table.update<Session>(keys.session(user_id, id), change(ended_by, now), 'NONE');
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

function endedByUser(ctx: CallerContext, id: string): Write {
  const { user, account, credential } = ctx.caller;
  const action = id === credential.id ? ('signed_out' as const) : ('session_ended' as const);
  return audit(ctx, account.id, { action, subject: { type: 'session', id, name: user.name } });
}

/** Ends a session of the caller: 404 for any other, and for one that is over. */
export async function endOwnSession(ctx: CallerContext, id: string): Promise<void> {
  const session = await requireSession(ctx, id);
  const over: Write = { ...ending(session, 'user', ctx.now), otherwise: recordNotFound };
  await ctx.table.transact([over, endedByUser(ctx, id)]);
}

/** Signing out twice at once ends the session once. */
export async function signOut(ctx: CallerContext): Promise<void> {
  const { user, credential } = ctx.caller;
  const over = ending({ user_id: user.id, id: credential.id }, 'user', ctx.now);
  try {
    await ctx.table.transact([over, endedByUser(ctx, credential.id)]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Ends all sessions of a user, except the one that is named: for whoever is deactivated, or loses a device. */
export async function endSessions(table: Table, user_id: string, now: Date, except?: string): Promise<void> {
  const open = await listOpenSessions(table, user_id, now);
  const others = open.filter(({ id }) => id !== except);
  await Promise.all(others.map((session) => endSession(table, session, 'service', now)));
}
