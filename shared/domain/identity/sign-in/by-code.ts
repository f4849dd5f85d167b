import type { Context, Visitor } from '#shared/context.ts';
import { checkCode, useCode } from '#shared/domain/identity/codes/check.ts';
import type { OpenedSession } from '#shared/domain/identity/sessions/open.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { admit, refused, unknown } from './admit.ts';
import { findByAddress } from './by-address.ts';

export interface ByCode {
  email_address: string;
  one_time_code: string;
}

/**
 * Opens a session for whoever has a right code. Only the transaction that opens it uses the code up. 401 for a wrong code
 * and for who has no access, 403 `invitation_required`.
 */
export async function signInByCode(
  ctx: Context & Visitor,
  { email_address, one_time_code }: ByCode,
  account_id: string | undefined,
): Promise<OpenedSession> {
  const code = await checkCode(ctx, { email_address, code: one_time_code });
  if (!code) throw refused();
  return retryOnConflict(async () => {
    const entry = await findByAddress(ctx.table, email_address, account_id);
    if (!entry) throw unknown(ctx, account_id);
    return admit(ctx, entry.person, [useCode(code, refused), ...entry.address]);
  });
}
