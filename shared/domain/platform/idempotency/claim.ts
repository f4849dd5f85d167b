import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
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

type Claimed<Response> = Item & {
  claimed_by: string;
  /** Milliseconds: afterwards another request may claim the key. */
  expires_at_ms: number;
  expires_epoch: number;
  response?: Response;
};

/** An `Idempotency-Key`: claimed by one request, with the response once the record is created. */
export type Claim = Claimed<KeptResponse>;

/** A large body is compressed: an item may have 400 kB, and a draft as a response several times as much. */
type StoredResponse = Omit<KeptResponse, 'body'> & { body: string | Uint8Array };
type StoredClaim = Claimed<StoredResponse>;

/** Bytes from which a body is compressed. */
const LARGE = 100_000;

const stored = ({ body, ...rest }: KeptResponse): StoredResponse => ({
  ...rest,
  body: Buffer.byteLength(body) < LARGE ? body : gzipSync(body),
});

const kept = ({ body, ...rest }: StoredResponse): KeptResponse => ({
  ...rest,
  body: typeof body === 'string' ? body : gunzipSync(body).toString('utf8'),
});

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
    const found = error.item as StoredClaim | undefined;
    if (found?.response) return { ...found, response: kept(found.response) };
    // The SDK repeats a write whose response was lost, and then finds its own claim.
    if (found?.claimed_by === claim.claimed_by) return claim;
    throw new ApiError('idempotency_key_in_use');
  }
}

/** Belongs in the transaction that creates: fails when the claim expired and another request took the key. */
export function keepResponse(claim: Claim, response: KeptResponse, now: Date): Write {
  const { expires_at_ms, expires_epoch } = expiry(now.getTime() + KEPT);
  return update<StoredClaim>(keyOf(claim), {
    set: { response: stored(response), expires_at_ms, expires_epoch },
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
    if (!(error instanceof ConditionFailed)) {
      getLogger().warn('an idempotency key stays claimed until its lease ends');
      return undefined;
    }
    const { response } = (error.item ?? {}) as Partial<StoredClaim>;
    return response && kept(response);
  }
  return undefined;
}
