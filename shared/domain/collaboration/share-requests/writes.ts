import { type Key, keyOf, keys, nameOfKey } from '#shared/table/keys.ts';
import { asRead, type Item, mustNotExist, type Write, when } from '#shared/table/table.ts';
import { isPending, type ShareRequest, typeOf } from './request.ts';

/**
 * A request is an item, which each user's list names: that of who asks, and those of who is asked. Beside them stands
 * what a user asked for last about a record, so that of several requests at once one is made.
 */

/** The place of a request in a list. */
export type Row = Item & Pick<ShareRequest, 'record_type' | 'record_id'> & { request_id: string };

export type Asked = Item & { request_id: string; status: ShareRequest['status']; asked_at: string };

const askedKey = (request: ShareRequest): Key =>
  keys.askedFor(request.user_id, typeOf(request), request.record_id);

function rowsOf(request: ShareRequest): Row[] {
  const { id: request_id, record_type, record_id, user_id, approver_user_ids } = request;
  const row = (user: string, direction: 'sent' | 'received'): Row => ({
    ...keys.shareRequestRow(user, direction, isPending(request), request_id),
    ...{ request_id, record_type, record_id },
  });
  return [row(user_id, 'sent'), ...approver_user_ids.map((id) => row(id, 'received'))];
}

const askedOf = (request: ShareRequest): Asked => ({
  ...askedKey(request),
  request_id: request.id,
  status: request.status,
  asked_at: request.created_at,
});

/** Fails when the user asked again since `last` was read. */
export const newRequestWrites = (request: ShareRequest, last: Asked | undefined): Write[] => [
  { put: request, when: mustNotExist },
  { put: askedOf(request), when: when<Asked>({ request_id: asRead(last?.request_id) }) },
  ...rowsOf(request).map((row): Write => ({ put: row })),
];

/** Fails when the pending request was answered since it was read, or has other approvers. */
export function changedRequestWrites(before: ShareRequest, after: ShareRequest): Write[] {
  const kept = new Set(rowsOf(after).map(nameOfKey));
  const gone = rowsOf(before).filter((row) => !kept.has(nameOfKey(row)));
  const same = { status: before.status, updated_at: before.updated_at };
  return [
    { put: after, when: when<ShareRequest>(same) },
    { put: askedOf(after) },
    ...gone.map((row): Write => ({ delete: keyOf(row) })),
    ...rowsOf(after).map((row): Write => ({ put: row })),
  ];
}
