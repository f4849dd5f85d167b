import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { ALL } from '#shared/domain/collaboration/record-lists/entry.ts';
import { planIn } from '#shared/domain/collaboration/record-lists/plan.ts';
import { idsOf, VALUED } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { isRoleAddress } from '#shared/domain/collaboration/records/role-addresses.ts';
import { addressHolders } from '#shared/domain/crm/contacts/addresses.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { pageWord } from '#shared/domain/crm/contacts/pages.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import { endOfPhone, ranksOfName } from './same.ts';

/** The contacts that have something in common with one, found by the lists that exist (docs/decisions/0038). */

/** Contacts that are read; also those with one value, the first by name. */
const MOST = 50;
/** Sequential reads for one value: a list of numbers with the same end also has others. */
const STEPS = 4;

/** What others may have as well. */
function clues({ name, phone_numbers, links }: Contact): Criterion<Contact>[] {
  // Candidates are judged by all that they have.
  const keeps = () => true;
  const ends = phone_numbers.flatMap(({ phone_number }) => endOfPhone(phone_number) ?? []);
  const words = new Set([...ends, ...links.map(({ url }) => pageWord(url))]);
  const parts = ranksOfName(name).map((rank) => ({
    ...{ list: ALL, order: contactIndex.words_by },
    ...{ from: `${VALUED}${rank}`, before: `${VALUED}${rank}~` },
  }));
  return [...[...words].map((word) => ({ terms: [[word]], keeps })), { parts, keeps }];
}

async function idsBy(ctx: CallerContext, clue: Criterion<Contact>): Promise<string[]> {
  // The contact itself is among them.
  const most = MOST + 1;
  const { clauses } = planIn(ctx, contactIndex, [clue], contactIndex.words_by);
  const reading = { page_size: pageSize(clauses, most), max_steps: STEPS, order: 'asc' as const };
  return idsOf(await new Conjunction(ctx.table, clauses, reading).take(most));
}

/** The ids of contacts that the caller may see: first those with what few have. */
export async function candidateIds(ctx: CallerContext, contact: Contact): Promise<string[]> {
  const all = contact.email_addresses.map(({ email_address }) => email_address);
  const addresses = all.filter((address) => !isRoleAddress(address));
  const found = await Promise.all([
    addressHolders.candidates(ctx, addresses),
    ...clues(contact).map((clue) => idsBy(ctx, clue)),
  ]);
  const telling = found.toSorted((a, b) => a.length - b.length).flat();
  return [...new Set(telling)].filter((id) => id !== contact.id).slice(0, MOST);
}
