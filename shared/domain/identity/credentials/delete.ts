import type { Context } from '#shared/context.ts';
import { type Acting, audit } from '#shared/domain/identity/audit/audit.ts';
import { endSession } from '#shared/domain/identity/sessions/end.ts';
import { endLeaked } from '#shared/domain/identity/sessions/leaked.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustExist } from '#shared/table/table.ts';
import { type ApiKey, subjectOf } from './api-key.ts';
import type { Credential } from './credential.ts';
import { hashSecret } from './secret.ts';
import { findApiKey } from './store.ts';

type Revoking = Acting & Pick<Context, 'table' | 'now'>;

/**
 * Deletes the credential first: from then on the key is refused, and if the second write fails, deleting the key again
 * completes it. A transaction with the credential would make requests with the key fail while it runs. A key that
 * somebody else deleted meanwhile is theirs.
 */
export async function revokeApiKey(ctx: Revoking, row: ApiKey): Promise<void> {
  await ctx.table.delete(keys.credential(row.hash));
  const event = audit(ctx, row.account_id, { action: 'api_key_deleted', subject: subjectOf(row) });
  try {
    await ctx.table.transact([{ delete: keys.apiKeyRow(row.account_id, row.id), when: mustExist }, event]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

type Revoked = Pick<Credential, 'id' | 'account_id' | 'user_id' | 'kind' | 'used_at'>;

async function revokeRefreshToken({ table, now }: Revoking, secret: string): Promise<Revoked | undefined> {
  const session = await endLeaked(table, secret, now);
  if (!session) return undefined;
  const { id, account_id, user_id, created_at, updated_at } = session;
  return { id, account_id, user_id, kind: 'session', used_at: updated_at ?? created_at };
}

/** Revokes the API key or the session of a leaked secret, and returns it; undefined when it is neither. */
export async function revokeSecret(ctx: Revoking, secret: string): Promise<Revoked | undefined> {
  const { table, now } = ctx;
  const key = keys.credential(hashSecret(secret));
  const credential = await table.get<Credential>(key);
  if (!credential) return revokeRefreshToken(ctx, secret);
  if (credential.kind === 'session') {
    await endSession(table, credential, 'service', now);
    await table.delete(key);
    return credential;
  }
  const row = await findApiKey(table, credential.account_id, credential.id);
  if (row) await revokeApiKey(ctx, row);
  else await table.delete(key);
  return credential;
}
