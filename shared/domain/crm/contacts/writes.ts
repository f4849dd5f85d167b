import { isDeepStrictEqual } from 'node:util';
import { announceDeletion } from '#shared/domain/collaboration/life/end.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import { postingWrites } from '#shared/domain/platform/postings/write.ts';
import { ApiError } from '#shared/errors.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import {
  type AllOf,
  mustNotExist,
  type Table,
  TRANSACTION_LIMIT,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { addressWrites } from './addresses.ts';
import type { Contact } from './contact.ts';
import { contactPostings } from './postings.ts';

const externalIdOf = (contact: Contact | undefined) => contact?.external_id ?? null;

/** 409 `external_id_taken` when another contact of the account has it, visible to the caller or not. */
async function claimExternalId(table: Table, contact: Contact, external_id: string): Promise<Write> {
  const key = keys.externalId(contact.account_id, 'contacts', external_id);
  if (await table.get(key))
    throw new ApiError('external_id_taken', {
      fields: { external_id: { code: 'taken', message: 'is on another contact' } },
    });
  return { put: { ...key, record_id: contact.id }, when: mustNotExist };
}

async function externalIdWrites(
  table: Table,
  before: Contact | undefined,
  after: Contact | undefined,
): Promise<Write[]> {
  const [old, wanted] = [externalIdOf(before), externalIdOf(after)];
  if (old === wanted) return [];
  return [
    ...(before && old !== null ? [{ delete: keys.externalId(before.account_id, 'contacts', old) }] : []),
    ...(after && wanted !== null ? [await claimExternalId(table, after, wanted)] : []),
  ];
}

/** Nobody changed it meanwhile: each change gives it a later `updated_at`. */
function unchanged({ updated_at }: Contact): AllOf<Contact> {
  return { updated_at };
}

/** The attributes whose values differ. */
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

/** Writes of a transaction: what is left belongs to what proposed the contact. */
const MAX_WRITES = TRANSACTION_LIMIT - 7;

/** Nobody made, changed or deleted the contact since it was read. */
function stillAs(before: Contact | undefined, { PK, SK }: Contact): Write {
  return { check: { PK, SK }, when: before ? when<Contact>(unchanged(before)) : mustNotExist };
}

/**
 * What a transaction writes to make or change a contact, with its addresses, its external id and its places in lists of
 * words; it fails when somebody else changed one of them meanwhile. 409 `email_address_taken`, `external_id_taken`.
 * Throws ConditionFailed when the contact has changed already.
 */
export async function contactWrites(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact,
): Promise<Write[]> {
  if (before === after) return [];
  const [addresses, externalId] = await Promise.all([
    addressWrites(ctx, before, after),
    externalIdWrites(ctx.table, before, after),
  ]);
  const writes = [contactWrite(before, after), ...externalId, ...addresses];
  const postings = await postingWrites(ctx.table, {
    before: contactPostings(before),
    after: contactPostings(after),
    room: MAX_WRITES - writes.length,
    unchanged: stillAs(before, after),
  });
  return [...writes, ...postings];
}

/**
 * The announcement that a contact is deleted. Its addresses and its external id are free at once. It fails when somebody
 * changed the contact meanwhile, and when it is not as it has to be besides. Throws ConditionFailed when the contact has
 * changed already.
 */
export async function contactDeletion(
  ctx: CallerContext,
  contact: Contact,
  besides: AllOf<Contact> = {},
): Promise<Change> {
  const [addresses, externalId] = await Promise.all([
    addressWrites(ctx, contact, undefined),
    externalIdWrites(ctx.table, contact, undefined),
  ]);
  const asRead = when<Contact>({ ...unchanged(contact), ...besides });
  const announced = announceDeletion({ type: 'contacts', id: contact.id }, ctx.now, asRead);
  const freed = [...externalId, ...addresses];
  const postings = await postingWrites(ctx.table, {
    before: contactPostings(contact),
    after: [],
    room: MAX_WRITES - freed.length - sizeOf(announced),
    unchanged: stillAs(contact, contact),
  });
  return together(announced, [...freed, ...postings]);
}
