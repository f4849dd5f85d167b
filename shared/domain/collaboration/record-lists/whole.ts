import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findRecords, type Query } from './find.ts';

/** Records that are read together. */
const PAGE = 100;

/** All records of a list, for types of which an account has few. */
export async function findAllRecords<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
): Promise<R[]> {
  const found = new Map<string, R>();
  let after: string | undefined;
  do {
    const page = await findRecords(ctx, query, { limit: PAGE, after });
    for (const record of page.rows) {
      // One that moves meanwhile is on two pages; its place is the later one.
      found.delete(record.id);
      found.set(record.id, record);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return [...found.values()];
}
