import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { lists } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Table } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { byName } from './place.ts';
import { contactWrites } from './writes.ts';

/** Writes the contact with its addresses and its external id, all or nothing. */
export function insertContact(ctx: CallerContext, contact: Contact): Promise<void> {
  return retryOnConflict(async () => ctx.table.transact(await contactWrites(ctx, undefined, contact)));
}

export interface ContactPage {
  contacts: Contact[];
  /** The rank after which the next page begins; null on the last page. */
  next: string | null;
}

export interface ContactPaging {
  order: 'asc' | 'desc';
  limit: number;
  /** The rank of the last contact of the previous page. */
  after: string | undefined;
}

/**
 * The first contacts of one list, at least `limit` if there are as many. A query reads 1 MB at most, so it may take
 * several.
 */
async function readList(table: Table, list: string, { order, limit, after }: ContactPaging) {
  const found: Contact[] = [];
  let last: Record<string, unknown> | undefined;
  do {
    const page = await table.query<Contact>({
      index: 'by_rank',
      partition: list,
      sort: after === undefined ? undefined : order === 'asc' ? { after } : { before: after },
      limit: limit - found.length,
      newest_first: order === 'desc',
      after: last,
    });
    found.push(...page.items);
    last = page.last;
  } while (last && found.length < limit);
  return found;
}

/**
 * A page by name: the account's contacts and the caller's private ones, merged. Private contacts of other users are in
 * other lists, so their number does not change the cost of a page.
 */
export async function listContacts(
  { table, caller }: CallerContext,
  paging: ContactPaging,
): Promise<ContactPage> {
  const wanted = { ...paging, limit: paging.limit + 1 };
  const both = await Promise.all([
    readList(table, lists.contacts(caller.account.id), wanted),
    readList(table, lists.privateContacts(caller.user.id), wanted),
  ]);
  const direction = paging.order === 'asc' ? 1 : -1;
  const merged = both.flat().sort((a, b) => direction * byName(a, b));
  const contacts = merged.slice(0, paging.limit);
  return { contacts, next: merged.length > paging.limit ? (contacts.at(-1)?.rank ?? null) : null };
}
