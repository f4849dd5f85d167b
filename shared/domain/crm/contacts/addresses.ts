import { isDeepStrictEqual } from 'node:util';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, type FieldErrors, invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { at, type Item, mustNotExist, type Table, update, type Write, when } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { EMAIL_ADDRESSES } from './written.ts';

/** The contacts of an email address: an item for each address, written in the contact's own transaction. */

type Holder = Pick<Contact, 'name' | 'visibility' | 'user_id'>;

export type AddressHolders = Item & { address: string; holders: Record<string, Holder> };

/** A holder as the caller may see it: a private contact of somebody else may be shared with the caller. */
type Candidate = [id: string, holder: Holder, visible: 'yes' | 'perhaps'];

/** Private contacts of others that are read for one address. */
const MAX_ASKED = 5;

/** Those that the caller may see, oldest first. */
function candidatesOf(item: AddressHolders, { user }: Caller): Candidate[] {
  const all = Object.entries(item.holders)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, holder]): Candidate => {
      const visible = holder.visibility === 'account' || holder.user_id === user.id;
      return [id, holder, visible ? 'yes' : 'perhaps'];
    });
  const asked = all.filter(([, , visible]) => visible === 'perhaps').slice(0, MAX_ASKED);
  return all.filter((each) => each[2] === 'yes' || asked.includes(each));
}

/** By address: the oldest contact with it that the caller sees. */
async function visibleHolders(
  { table, caller }: CallerContext,
  items: Map<string, AddressHolders>,
): Promise<Map<string, { id: string; name: string }>> {
  const candidates = [...items].map(([address, item]) => [address, candidatesOf(item, caller)] as const);
  const asked = candidates.flatMap(([, some]) =>
    some.flatMap(([id, , visible]) => (visible === 'yes' ? [] : [id])),
  );
  const read = await table.getMany<Contact>(asked.map((id) => keys.record('contacts', id)));
  const shared = new Set(
    read.filter((contact) => isThere(contact) && accessOf(contact, caller.user)).map(({ id }) => id),
  );
  return new Map(
    candidates.flatMap(([address, some]) => {
      const first = some.find(([id, , visible]) => visible === 'yes' || shared.has(id));
      return first ? [[address, { id: first[0], name: first[1].name }] as const] : [];
    }),
  );
}

async function readHolders(
  table: Table,
  account: string,
  addresses: string[],
  options: { consistent: boolean },
): Promise<Map<string, AddressHolders>> {
  const items = await table.getMany<AddressHolders>(
    addresses.map((address) => keys.emailAddress(account, address)),
    options,
  );
  return new Map(items.map((item) => [item.address, item]));
}

/** The visible contact of each address, if any. Addresses are in lower case. */
export async function findContactsByAddress(
  ctx: CallerContext,
  addresses: string[],
): Promise<Map<string, { id: string; name: string }>> {
  // A page of threads asks for up to a hundred: a name that is milliseconds old suffices, at half the price.
  const items = await readHolders(ctx.table, ctx.caller.account.id, addresses, { consistent: false });
  return visibleHolders(ctx, items);
}

/** The contacts that have the address. */
export async function holdersOf({ table, caller }: CallerContext, address: string): Promise<string[]> {
  const items = await readHolders(table, caller.account.id, [address], { consistent: true });
  return Object.keys(items.get(address)?.holders ?? {});
}

type Addressed = Pick<Contact, 'id' | 'account_id' | 'email_addresses' | keyof Holder>;

const addressesOf = (contact: Addressed | undefined) =>
  contact?.email_addresses.map((entry) => entry.email_address) ?? [];

function holderOf({ name, visibility, user_id }: Addressed): Holder {
  return { name, visibility, user_id };
}

/** 409 `email_address_taken` when a contact that the caller sees has one of the addresses. */
async function refuseTaken(
  ctx: CallerContext,
  addresses: string[],
  before: string[],
  items: Map<string, AddressHolders>,
) {
  const added = new Map([...items].filter(([address]) => !before.includes(address)));
  const holders = await visibleHolders(ctx, added);
  const taken: FieldErrors = {};
  addresses.forEach((address, i) => {
    if (holders.has(address))
      taken[`email_addresses.${i}.email_address`] = { code: 'taken', message: 'is on another contact' };
  });
  if (Object.keys(taken).length > 0) throw new ApiError('email_address_taken', { fields: taken });
}

/**
 * The writes for a contact's addresses; `before` is undefined for a new contact, `after` for a deleted one. They fail
 * when another contact takes an address first. 409 `email_address_taken` when a contact that the caller sees has an
 * added address; hidden contacts do not count and stay hidden. 400 `too_long` when more change than fit into one
 * transaction.
 */
export async function addressWrites(
  ctx: CallerContext,
  before: Addressed | undefined,
  after: Addressed | undefined,
): Promise<Write[]> {
  const [old, wanted] = [addressesOf(before), addressesOf(after)];
  const same = before && after && isDeepStrictEqual(holderOf(before), holderOf(after));
  const moving = [...new Set([...old, ...wanted])].filter(
    (address) => !same || !old.includes(address) || !wanted.includes(address),
  );
  if (moving.length > EMAIL_ADDRESSES)
    throw invalidField('email_addresses', 'too_long', `no more than ${EMAIL_ADDRESSES} can change at once`);
  const items = await readHolders(ctx.table, ctx.caller.account.id, moving, { consistent: true });
  await refuseTaken(ctx, wanted, old, items);
  return moving.flatMap((address): Write[] => {
    const item = items.get(address);
    if (after && wanted.includes(address)) return [claim(after, address, item)];
    return before && item ? [release(before, item)] : [];
  });
}

function claim(contact: Addressed, address: string, item: AddressHolders | undefined): Write {
  const key = keys.emailAddress(contact.account_id, address);
  const holder = holderOf(contact);
  if (!item) return { put: { ...key, address, holders: { [contact.id]: holder } }, when: mustNotExist };
  return update<AddressHolders>(key, {
    set: { holders: at(contact.id, holder) },
    when: { holders: item.holders },
  });
}

function release(contact: Addressed, { PK, SK, holders }: AddressHolders): Write {
  const key = { PK, SK };
  const unchanged = when<AddressHolders>({ holders });
  if (Object.keys(holders).every((id) => id === contact.id)) return { delete: key, when: unchanged };
  return update<AddressHolders>(key, { remove: [['holders', contact.id]], when: unchanged });
}
