import { isDeepStrictEqual } from 'node:util';
import { announceDeletion } from '#shared/domain/collaboration/life/end.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { postingWrites } from '#shared/domain/platform/postings/write.ts';
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
import { contactPostings } from './postings.ts';

/**
 * The ids that integrations give to contacts. 409 `external_id_taken`, even when the caller does not see the other
 * contact.
 */
const externalIds = new UniqueNames(
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
  const asRead = { ...isLive, ...unchanged(before) };
  return update<Contact>(keyOf(before), { set: changed(before, after), when: asRead });
}

/** Writes of a transaction; the rest is for the proposal that may have caused it. */
const MAX_WRITES = TRANSACTION_LIMIT - 7;

/** The contact has not been created, changed or deleted since it was read. */
function stillAs(before: Contact | undefined, { PK, SK }: Contact): Write {
  return { check: { PK, SK }, when: before ? when<Contact>(unchanged(before)) : mustNotExist };
}

/**
 * The writes that create or change a contact, with its addresses, its external id and its postings. They fail when
 * another request changes one of these. 409 `email_address_taken`, `external_id_taken`. Throws ConditionFailed when the
 * contact has already changed.
 */
export async function contactWrites(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact,
): Promise<Write[]> {
  if (before === after) return [];
  const addresses = await addressWrites(ctx, before, after);
  const writes = [contactWrite(before, after), ...externalIdWrites(before, after), ...addresses];
  const postings = await postingWrites(ctx.table, {
    before: contactPostings(before),
    after: contactPostings(after),
    room: MAX_WRITES - writes.length,
    unchanged: stillAs(before, after),
  });
  return [...writes, ...postings];
}

/**
 * The change that marks a contact as deleted. Its addresses and its external id are free at once. It fails when another
 * request changes the contact, or when a further condition does not hold. Throws ConditionFailed when the contact has
 * already changed.
 */
export async function contactDeletion(
  ctx: CallerContext,
  contact: Contact,
  besides: AllOf<Contact> = {},
): Promise<Change> {
  const addresses = await addressWrites(ctx, contact, undefined);
  const asRead = when<Contact>({ ...unchanged(contact), ...besides });
  const announced = announceDeletion({ type: 'contacts', id: contact.id }, ctx.now, asRead);
  const freed = [...externalIdWrites(contact, undefined), ...addresses];
  const postings = await postingWrites(ctx.table, {
    before: contactPostings(contact),
    after: [],
    room: MAX_WRITES - freed.length - sizeOf(announced),
    unchanged: stillAs(contact, contact),
  });
  return together(announced, [...freed, ...postings]);
}
