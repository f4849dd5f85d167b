import { countRequest } from '#shared/domain/platform/rates/count.ts';
import { lastStale, measureRate } from '#shared/domain/platform/rates/rate.ts';
import { rateLimited } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * Counts an operation that starts work of the assistant. 429 `rate_limited` above `limit` a minute for the user
 * (docs/specification/requests.md, "Rate limits").
 */
export async function countQuestion(table: Table, user_id: string, limit: number, now: Date): Promise<void> {
  const keyOf = (hour: number) => keys.questionRate(user_id, hour);
  const counted = await countRequest(table, keyOf, now, lastStale(now));
  const { retry_after } = measureRate(counted, limit, now);
  if (retry_after > 0)
    throw rateLimited(
      retry_after,
      `The limit is ${limit} questions to the assistant in a minute for a user.`,
    );
}
