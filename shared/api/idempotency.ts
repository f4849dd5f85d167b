import * as z from 'zod';
import { claimKey, keepResponse, releaseKey } from '#shared/domain/platform/idempotency/claim.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { describeError, getLogger } from '#shared/log.ts';
import type { Services } from '#shared/services.ts';
import type { Write } from '#shared/table/table.ts';
import { type ApiEvent, callOf, headerValues } from './call.ts';
import { readQuery } from './parse.ts';
import type { ApiResponse } from './respond.ts';

/**
 * `Idempotency-Key` (docs/specification/requests.md, "Idempotency-Key"): a create that the same user repeats on the
 * same path with the same key runs once. Its response is stored in the transaction of the create, and returned for 24
 * hours.
 */
export const idempotencyHeader = {
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[ -~]*$/, { error: 'must be printable ASCII characters' })
    .optional()
    .meta({
      description:
        'Any text of 1 to 255 printable ASCII characters. For 24 hours after a success, a request with the same key ' +
        'gets the first response again, with `Idempotent-Replayed: true`, whatever its body, and creates nothing.',
      example: '5c1f0a52-import-7',
    }),
};

/** On the response of an earlier request. */
const replayed = { 'Idempotent-Replayed': 'true' };

const NAME = 'Idempotency-Key';
const header = z.object(idempotencyHeader);

function keyOf(event: ApiEvent): string | undefined {
  const fields = new Fields();
  const sent = headerValues(event, NAME.toLowerCase());
  const values = readQuery(idempotencyHeader, sent.length > 0 ? { [NAME]: sent } : {}, fields);
  const parsed = parseShape(header, values, fields) as z.infer<typeof header> | undefined;
  fields.throwIfAny();
  return parsed?.[NAME];
}

/** The writes that store a response. */
export type Keep = (response: ApiResponse) => Write[];
export const keepNothing: Keep = () => [];

/** The response of `operate`, or of the first request with this key. A failure frees the key. */
export async function once(
  event: ApiEvent,
  services: Services,
  operate: (keep: Keep) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const key = keyOf(event);
  const user_id = callOf(event).caller?.user.id;
  if (key === undefined || user_id === undefined) return operate(keepNothing);
  const { table, clock } = services;
  const claim = await claimKey(table, { user_id, path: event.path, key }, clock());
  if (claim.response) return { ...claim.response, headers: replayed };
  let kept = false;
  const keep: Keep = ({ status, content_type, body, version }) => {
    kept = true;
    return [keepResponse(claim, { status, content_type, body, version }, clock())];
  };
  try {
    const response = await operate(keep);
    if (!kept) throw new Error('The operation is idempotent and did not keep its response');
    return response;
  } catch (error) {
    const done = await releaseKey(table, claim);
    if (!done) throw error;
    getLogger().warn('failed after the create', { error: describeError(error) });
    return done;
  }
}
