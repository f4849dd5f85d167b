import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';
import type { Credential } from './credential.ts';
import { type CredentialKind, hashSecret, newSecret } from './secret.ts';

export interface CredentialDraft {
  account_id: string;
  user_id: string;
  kind: CredentialKind;
  tier: 'read' | 'read_write';
  expires_at: Date | null;
}

export interface IssuedCredential {
  credential: Credential;
  secret: string;
  hash: string;
}

/** A new credential, not stored yet. The secret is returned once and never stored. */
export function newCredential(draft: CredentialDraft, now: Date): IssuedCredential {
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
  return { credential, secret, hash };
}

/** Stores a new credential under the hash of its secret. API keys also need a row (create.ts). */
export async function issueCredential(
  table: Table,
  draft: CredentialDraft,
  now: Date,
): Promise<IssuedCredential> {
  const issued = newCredential(draft, now);
  await table.put(issued.credential, mustNotExist);
  return issued;
}
