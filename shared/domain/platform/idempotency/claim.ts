import { randomUUID } from 'node:crypto';
import { ApiError } from '#shared/errors.ts';
import { getLogger } from '#shared/log.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import {
  below,
  ConditionFailed,
  type Item,
  missing,
  type Table,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';

/** The stored response of a request. */
export interface KeptResponse {
  status: number;
  content_type: string | undefined;
  body: string;
  /** Of the record in the body. */
  version?: string | undefined;
}

/** An `Idempotency-Key` as stored: claimed by one request, with the response once the record is created. */
export type Claim = Item & {
  claimed_by: string;
  /** Milliseconds: afterwards another request may claim the key. */
  expires_at_ms: number;
  expires_epoch: number;
  response?: KeptResponse;
};

/** Longer than a request may run (29 s), so no request still works under an expired claim. */
const LEASE = 30_000;
/** docs/specification/requests.md, "Idempotency-Key". */
const KEPT = 24 * 3_600_000;

/** `expires_epoch` is for cleaning up only: DynamoDB may take days to delete the item. */
function expiry(moment: number) {
  return { expires_at_ms: moment, expires_epoch: Math.ceil(moment / 1_000) };
}

/** Claims the key, or returns the claim with its stored response. 409 while another request runs. */
export async function claimKey(
  table: Table,
  request: { user_id: string; path: string; key: string },
  now: Date,
): Promise<Claim> {
  const claim: Claim = {
    ...keys.idempotency(request.user_id, request.path, request.key),
    claimed_by: randomUUID(),
    ...expiry(now.getTime() + LEASE),
  };
  try {
    await table.put(claim, when<Claim>({ PK: missing }, { expires_at_ms: below(now.getTime()) }));
    return claim;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const found = error.item as Claim | undefined;
    // The SDK repeats a write whose response was lost, and then finds its own claim.
    if (found?.response || found?.claimed_by === claim.claimed_by) return found;
    throw new ApiError('idempotency_key_in_use');
  }
}

/** Belongs in the transaction that creates: fails when the claim expired and another request took the key. */
export function keepResponse(claim: Claim, response: KeptResponse, now: Date): Write {
  const { expires_at_ms, expires_epoch } = expiry(now.getTime() + KEPT);
  return update<Claim>(keyOf(claim), {
    set: { response, expires_at_ms, expires_epoch },
    when: { claimed_by: claim.claimed_by },
  });
}

/**
 * Frees the key after a failure. Returns the stored response when the create did succeed and only its response was
 * lost.
 */
export async function releaseKey(table: Table, claim: Claim): Promise<KeptResponse | undefined> {
  try {
    await table.delete(keyOf(claim), when<Claim>({ claimed_by: claim.claimed_by, response: missing }));
  } catch (error) {
    if (error instanceof ConditionFailed) return (error.item as Claim | undefined)?.response;
    getLogger().warn('an idempotency key stays claimed until its lease ends');
  }
  return undefined;
}
