import { type Acting, audit } from '#shared/domain/identity/audit/audit.ts';
import { additionsOf, oneMore } from '#shared/domain/platform/limits/additions.ts';
import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustNotExist, type Table, type Write } from '#shared/table/table.ts';
import { type ApiKey, subjectOf } from './api-key.ts';
import { type CredentialDraft, newCredential } from './issue.ts';
import { secretHint } from './secret.ts';
import { listApiKeys } from './store.ts';

export type ApiKeyDraft = Omit<CredentialDraft, 'kind'> & { name: string };

/** A key with its secret, which nothing else tells. */
interface Created {
  row: ApiKey;
  secret: string;
}

/** One transaction, so that no key works without being listed, and none is listed that does not work. */
export async function createApiKey(
  table: Table,
  draft: ApiKeyDraft,
  now: Date,
  by: Acting = {},
  besides: Write[] = [],
): Promise<Created> {
  const { credential, secret, hash } = newCredential({ ...draft, kind: 'api_key' }, now);
  const row: ApiKey = {
    ...keys.apiKeyRow(draft.account_id, credential.id),
    id: credential.id,
    account_id: draft.account_id,
    user_id: draft.user_id,
    name: draft.name,
    tier: draft.tier,
    prefix: secretHint(secret),
    hash,
    expires_at: draft.expires_at?.toISOString() ?? null,
    created_at: now.toISOString(),
  };
  await table.transact([
    { put: credential, when: mustNotExist },
    { put: row, when: mustNotExist },
    ...besides,
    audit({ ...by, now }, row.account_id, { action: 'api_key_created', subject: subjectOf(row) }),
  ]);
  return { row, secret };
}

/** Keys of a user: an admin's list has the keys of all users. */
const MAX_KEYS = 100;

/** The same; 400 when the user has the maximum number of keys. */
export function addApiKey(table: Table, draft: ApiKeyDraft, now: Date, by: Acting = {}): Promise<Created> {
  const { account_id, user_id } = draft;
  return retryOnConflict(async () => {
    const additions = await additionsOf(table, keys.additions(user_id, 'api_keys'));
    if ((await listApiKeys(table, account_id, user_id)).length >= MAX_KEYS)
      throw invalidField('api_key', 'invalid', `cannot be added: a user has at most ${MAX_KEYS} keys`);
    return createApiKey(table, draft, now, by, [oneMore(additions)]);
  });
}
