import { newId } from '../../ids.ts';
import { keys } from '../../table/keys.ts';
import { absent, type Table } from '../../table/table.ts';
import { type CredentialKind, hashSecret, newSecret } from './secret.ts';
import type { Credential } from './store.ts';

export interface CredentialDraft {
  account_id: string;
  user_id: string;
  kind: CredentialKind;
  tier: 'read' | 'read_write';
  expires_at: Date | null;
}

/** Stores a new credential under the hash of its secret. The secret is given once and kept nowhere. */
export async function issueCredential(
  table: Table,
  draft: CredentialDraft,
  now: Date,
): Promise<{ credential: Credential; secret: string; hash: string }> {
  const secret = newSecret(draft.kind);
  const hash = hashSecret(secret);
  const credential: Credential = {
    ...keys.credential(hash),
    id: newId(now),
    account_id: draft.account_id,
    user_id: draft.user_id,
    kind: draft.kind,
    tier: draft.tier,
    ...(draft.expires_at ? { expires_at_ms: draft.expires_at.getTime() } : {}),
  };
  await table.put(credential, absent);
  return { credential, secret, hash };
}
