import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { addressHolders } from './addresses.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employers.ts';

/** With whom the caller had mail or meetings since a moment, in milliseconds, as far as the caller sees these. */

type Ctx = CallerContext<KnowsInteractions>;

/** Hidden contacts too: whoever lists them checks each. */
export async function contactsSince(ctx: Ctx, since: number): Promise<string[]> {
  return addressHolders.idsOf(ctx, await ctx.ports.addressesSince(ctx, since));
}

/** The organizations, current and past, of those that the caller sees. */
export async function employersSince(ctx: Ctx, since: number): Promise<string[]> {
  const contacts = await visibleRecords<Contact>(ctx, 'contacts', await contactsSince(ctx, since));
  return [...new Set(contacts.flatMap(employerIds))];
}
