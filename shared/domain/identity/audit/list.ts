import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { idFloor, keys } from '#shared/table/keys.ts';
import { KEPT } from './audit.ts';
import type { AuditEvent } from './event.ts';

interface Page {
  limit: number;
  /** Where the page before ended. */
  after: string | undefined;
}

/** Newest first; 403 for all but admins. DynamoDB may take days to remove what has expired. */
export async function listAuditEvents(
  { table, caller, now }: CallerContext,
  { limit, after }: Page,
): Promise<{ events: AuditEvent[]; next: string | null }> {
  requireAdmin(caller);
  const { PK, SK } = keys.auditEvent(caller.account.id, '');
  const page = await table.query<AuditEvent>({
    partition: PK,
    sort: { from: `${SK}${idFloor(now.getTime() - KEPT)}`, to: `${SK}~` },
    newest_first: true,
    limit,
    after: after === undefined ? undefined : { PK, SK: after },
  });
  return { events: page.items, next: page.last ? (page.items.at(-1)?.SK ?? null) : null };
}
