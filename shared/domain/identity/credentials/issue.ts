import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Credential } from './credential.ts';
import { type CredentialKind, hashSecret, newSecret } from './secret.ts';

export interface CredentialDraft {
  /** Of the session, for an access token; a new one without it. */
  id?: string;
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

/** Access tokens are many, so their items are deleted when they have expired; those of API keys are listed until then. */
function expiring({
  kind,
  expires_at,
}: CredentialDraft): Pick<Credential, 'expires_at_ms' | 'expires_epoch'> {
  if (!expires_at) return {};
  const expires_at_ms = expires_at.getTime();
  return kind === 'session'
    ? { expires_at_ms, expires_epoch: Math.ceil(expires_at_ms / 1_000) }
    : { expires_at_ms };
}

/** A new credential, not stored yet. The secret is returned once and never stored. */
export function newCredential(draft: CredentialDraft, now: Date): IssuedCredential {
  const secret = newSecret(draft.kind);
  const hash = hashSecret(secret);
  const credential: Credential = {
    ...keys.credential(hash),
    id: draft.id ?? newId(now),
    account_id: draft.account_id,
    user_id: draft.user_id,
    kind: draft.kind,
    tier: draft.tier,
    ...expiring(draft),
  };
  return { credential, secret, hash };
}
