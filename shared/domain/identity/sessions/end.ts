import type { Visitor } from '#shared/context.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isOutdated } from '#shared/domain/identity/credentials/authenticate.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
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
  return unlessOver(table.update<Session>(keys.session(user_id, id), change(ended_by, now), 'NONE'));
}

type Ending = CallerContext & Visitor;

/** The writes of a user who ends a session. */
function endingBy(ctx: Ending, session: Named, action: 'session_ended' | 'signed_out'): Write[] {
  const { account, user } = ctx.caller;
  const subject = { type: 'session' as const, id: session.id, name: user.name };
  return [ending(session, 'user', ctx.now), audit(ctx, account.id, { action, subject })];
}

async function unlessOver(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Ends a session of the caller: 404 for any other, and for one that is over. */
export async function endOwnSession(ctx: Ending, id: string): Promise<void> {
  const session = await requireSession(ctx, id);
  const ended = await unlessOver(ctx.table.transact(endingBy(ctx, session, 'session_ended')));
  if (!ended) throw recordNotFound();
}

/** Signs out. */
export async function endCurrentSession(ctx: Ending): Promise<void> {
  const { user, credential } = ctx.caller;
  const session = { user_id: user.id, id: credential.id };
  await unlessOver(ctx.table.transact(endingBy(ctx, session, 'signed_out')));
}

/** Ends the sessions of a user that began before the user lost access. */
export async function endSessions(table: Table, user: User, now: Date): Promise<void> {
  const open = await listOpenSessions(table, user.id, now);
  const before = open.filter((session) => isOutdated(session, user));
  await Promise.all(before.map((session) => endSession(table, session, 'service', now)));
}
