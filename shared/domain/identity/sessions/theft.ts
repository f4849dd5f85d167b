import type { Context, Visitor } from '#shared/context.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { sendsMail } from '#shared/domain/platform/outgoing-mail/available.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { getLogger } from '#shared/log.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { ending } from './end.ts';
import type { Session } from './session.ts';
import { theftMail } from './theft-mail.ts';

/**
 * Ends a session whose refresh token was used twice: its owner and a thief have it, and both lose it. The user is told
 * once, by whichever request ends it.
 */
export async function endStolen(ctx: Context & Visitor, session: Session): Promise<void> {
  const { id: session_id, user_id, account_id, created_at, user_agent } = session;
  const subject = { type: 'session' as const, id: session_id, name: null };
  const kept = audit(ctx, account_id, { action: 'session_stolen', subject, credential_id: session_id });
  const told = mailJob(theftMail, { account_id, user_id, created_at, user_agent }, ctx.now);
  const jobs = sendsMail(ctx.config) ? [told] : [];
  try {
    await commit(ctx, { writes: [ending(session, 'theft', ctx.now), kept], jobs });
  } catch (error) {
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  getLogger().warn('refresh token used twice', { session_id, user_id, account_id });
}
