import type { Context } from '#shared/context.ts';
import { getLogger } from '#shared/log.ts';
import { endSession } from './end.ts';
import type { Session } from './session.ts';

/**
 * Ends a session whose refresh token was used twice: its owner and a thief have it, and both lose it. Told once, by
 * whichever request ends it.
 */
export async function endStolen({ table, now }: Context, session: Session): Promise<void> {
  const ended = await endSession(table, session, 'theft', now);
  if (!ended) return;
  const { id: session_id, user_id, account_id } = ended;
  getLogger().warn('refresh token used twice', { session_id, user_id, account_id });
}
