import { isDeepStrictEqual } from 'node:util';
import type { Context, Visitor } from '#shared/context.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { seenAs } from '#shared/domain/identity/visitor.ts';
import { newOrderedId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { AuditChange, AuditEvent } from './event.ts';

/** Milliseconds for which an event is kept. */
export const KEPT = 365 * 86_400_000;

/** Who acts: without a caller the service, or the operator by `npm run admin`. */
export type Acting = Partial<Visitor> & { caller?: Caller };

type Occurrence = Pick<AuditEvent, 'action' | 'subject'> & {
  changes?: AuditChange[];
  /** Who acts, where the request has no caller yet: who signs in. */
  user_id?: string;
  credential_id?: string;
};

/**
 * The write that keeps what somebody did. It belongs in the transaction of what was done, so that neither is without
 * the other.
 */
export function audit(
  acting: Acting & Pick<Context, 'now'>,
  account_id: string,
  { action, subject, changes = [], user_id, credential_id }: Occurrence,
): Write {
  const { caller, now } = acting;
  const id = newOrderedId(now);
  const event: AuditEvent = {
    ...keys.auditEvent(account_id, id),
    id,
    action,
    user_id: user_id ?? caller?.user.id ?? null,
    credential_id: credential_id ?? caller?.credential.id ?? null,
    subject,
    changes,
    ...seenAs(acting),
    created_at: now.toISOString(),
    expires_epoch: Math.ceil((now.getTime() + KEPT) / 1_000),
  };
  return { put: event };
}

/** The fields of these that changed; nothing is null. */
export function differences<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): AuditChange[] {
  return fields.flatMap((field) => {
    const [was, is] = [before[field] ?? null, after[field] ?? null];
    return isDeepStrictEqual(was, is) ? [] : [{ field, before: was, after: is }];
  });
}
