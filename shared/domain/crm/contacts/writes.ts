import { isDeepStrictEqual } from 'node:util';
import { announceDeletion } from '#shared/domain/collaboration/life/end.ts';
import { listChange, listedAsRead, readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError } from '#shared/errors.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import {
  type AllOf,
  mustNotExist,
  TRANSACTION_LIMIT,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { addressWrites } from './addresses.ts';
import type { Contact } from './contact.ts';
import { contactIndex } from './lists.ts';

/**
 * The ids that integrations give to contacts. 409 `external_id_taken`, even when the caller does not see the other
 * contact.
 */
export const externalIds = new UniqueNames(
  (account_id, id) => keys.externalId(account_id, 'contacts', id),
  () =>
    new ApiError('external_id_taken', {
      fields: { external_id: { code: 'taken', message: 'is on another contact' } },
    }),
  (id) => id,
);

function externalIdWrites(before: Contact | undefined, after: Contact | undefined): Write[] {
  const contact = after ?? before;
  if (!contact) return [];
  return externalIds.change(contact.account_id, contact.id, {
    from: before?.external_id ?? null,
    to: after?.external_id ?? null,
  });
}

/** The contact has not changed: each change gives it a later `updated_at`. */
function unchanged({ updated_at }: Contact): AllOf<Contact> {
  return { updated_at };
}

/** The attributes with different values. */
function changed(before: Contact, after: Contact): Partial<Contact> {
  const names = Object.keys(after) as (keyof Contact)[];
  return Object.fromEntries(
    names.filter((name) => !isDeepStrictEqual(after[name], before[name])).map((name) => [name, after[name]]),
  );
}

function contactWrite(before: Contact | undefined, after: Contact): Write {
  if (!before) return { put: after, when: mustNotExist };
  const asRead = { ...isLive, ...unchanged(before), ...listedAsRead(before) };
  return update<Contact>(keyOf(before), { set: changed(before, after), when: asRead });
}

/** Writes of a transaction; the rest is for the proposal that may have caused it. */
export const MAX_WRITES = TRANSACTION_LIMIT - 7;

/**
 * The change that creates or changes a contact, with its addresses, its external id and its lists. It fails when another
 * request changes one of these. 409 `email_address_taken`, `external_id_taken`.
 */
export async function contactChange(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact,
): Promise<Change> {
  if (before === after) return noChange;
  const [addresses, entries] = await Promise.all([
    addressWrites(ctx, before, after),
    before ? readEntries(ctx.table, { type: 'contacts', id: after.id }) : [],
  ]);
  const writes = [contactWrite(before, after), ...externalIdWrites(before, after), ...addresses];
  const room = MAX_WRITES - writes.length;
  return together(writes, await listChange(ctx, contactIndex, { id: after.id, entries, after, room }));
}

/**
 * The change that marks a contact as deleted. Its addresses and its external id are free at once. It fails when another
 * request changes the contact, or when a further condition does not hold.
 */
export async function contactDeletion(
  ctx: CallerContext,
  contact: Contact,
  besides: AllOf<Contact> = {},
): Promise<Change> {
  const { id } = contact;
  const [addresses, entries] = await Promise.all([
    addressWrites(ctx, contact, undefined),
    readEntries(ctx.table, { type: 'contacts', id }),
  ]);
  const asRead = when<Contact>({ ...unchanged(contact), ...besides });
  const announced = announceDeletion({ type: 'contacts', id }, ctx.now, asRead);
  const freed = [...externalIdWrites(contact, undefined), ...addresses];
  const room = MAX_WRITES - freed.length - sizeOf(announced);
  return together(
    announced,
    freed,
    await listChange(ctx, contactIndex, { id, entries, after: undefined, room }),
  );
}
