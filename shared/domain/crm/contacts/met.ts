import type { Met } from '#shared/domain/collaboration/record-lists/by-encounter.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import { expectUsual, type SpacesAhead } from '#shared/domain/crm/details/spaces-ahead.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { addressHolders } from './addresses.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employer-ids.ts';
import type { EmployersAhead } from './employers-ahead.ts';

/** Contacts and organizations by the last mail or meeting with their people. */

type Ctx = CallerContext<KnowsInteractions>;

const addressesOf = ({ email_addresses }: Contact) =>
  email_addresses.map(({ email_address }) => email_address);

/** What they show, which is read ahead. */
interface Shown {
  employers: EmployersAhead;
  spaces: SpacesAhead;
}

/** A contact belongs to the last moment of its addresses. */
export function metContacts(ctx: Ctx, { employers, spaces }: Shown): Met<Contact> {
  const encounters = ctx.ports.encounters(ctx);
  return {
    encounters,
    async idsOf(addresses) {
      expectUsual(ctx, spaces);
      const held = await addressHolders.showing(ctx, addresses);
      employers.expect([...held.values()].flatMap(({ shows }) => shows));
      return [...held.keys()];
    },
    expect: (contacts) => employers.expect(contacts.flatMap(employerIds)),
    async lastOf(contacts, { seen }) {
      const addresses = [...new Set(contacts.flatMap(addressesOf))];
      const last = await (seen ? encounters.lastAmongSeen(addresses) : encounters.lastWith(addresses));
      return new Map(
        contacts.flatMap((contact) => {
          const moments = addressesOf(contact).flatMap((address) => last.get(address) ?? []);
          return moments.length > 0 ? [[contact.id, Math.max(...moments)] as const] : [];
        }),
      );
    },
  };
}

/** The organizations, current and past, of those contacts that the caller sees. */
export async function employersOfSeen(ctx: CallerContext, contact_ids: string[]): Promise<string[]> {
  const contacts = await visibleRecords<Contact>(ctx, 'contacts', contact_ids);
  return [...new Set(contacts.flatMap(employerIds))];
}

/** With fewer, most people would be read to find them. */
const FEW_ORGANIZATIONS = 100;

/** An organization belongs to the last moment of its people, current and past, that the caller sees. */
export function metOrganizations(ctx: Ctx): Met<Organization> {
  const encounters = ctx.ports.encounters(ctx);
  return {
    encounters,
    idsOf: async (addresses) => employersOfSeen(ctx, await addressHolders.idsOf(ctx, addresses)),
    async lastOf(organizations) {
      const last = await Promise.all(organizations.map(({ id }) => encounters.lastWithOrganization(id)));
      return new Map(
        organizations.flatMap(({ id }, i) => {
          const moment = last[i];
          return moment === undefined ? [] : [[id, moment] as const];
        }),
      );
    },
    whole: FEW_ORGANIZATIONS,
  };
}
