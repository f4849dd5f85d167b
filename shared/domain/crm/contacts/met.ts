import { begun } from '#shared/begun.ts';
import type { Met } from '#shared/domain/collaboration/record-lists/by-encounter.ts';
import { Ahead } from '#shared/domain/collaboration/records/ahead.ts';
import type { Held } from '#shared/domain/collaboration/records/holders.ts';
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
    first: FIRST_CONTACTS,
    async recordsOf(addresses) {
      expectUsual(ctx, spaces);
      const held = await addressHolders.showing(ctx, addresses);
      employers.expect([...held.values()].flatMap(({ shows }) => shows));
      return { ids: [...held.keys()] };
    },
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

/** Addresses of the first step: a page of contacts, and people of as many organizations. */
const FIRST_CONTACTS = 60;
const FIRST_PEOPLE = 250;

/** With fewer, most people would be read to find them. */
const FEW_ORGANIZATIONS = 100;

/** An organization belongs to the last moment of its people, current and past, that the caller sees. */
export function metOrganizations(ctx: Ctx, spaces: SpacesAhead): Met<Organization> {
  const encounters = ctx.ports.encounters(ctx);
  const holders = new Ahead<Held[]>((addresses) => addressHolders.heldBy(ctx, addresses));
  /** Those that were met, as far as they are read. */
  const people = new Map<string, Contact>();

  const employersAt = (held: Map<string, Held[]>, addresses: string[]) =>
    addresses.flatMap((address) => held.get(address) ?? []).flatMap(({ shows }) => shows);

  async function readPeople(ids: string[]): Promise<string[]> {
    const contacts = await visibleRecords<Contact>(ctx, 'contacts', ids);
    for (const contact of contacts) people.set(contact.id, contact);
    return [...new Set(contacts.flatMap(employerIds))];
  }

  async function lastSeen({ id }: Organization): Promise<number | undefined> {
    if (!(await encounters.isLookedUp(id))) return undefined;
    const own = [...people.values()].filter((contact) => employerIds(contact).includes(id));
    const last = await encounters.lastAmongSeen(own.flatMap(addressesOf));
    return last.size > 0 ? Math.max(...last.values()) : undefined;
  }

  return {
    encounters,
    first: FIRST_PEOPLE,
    async enough(addresses, wanted) {
      const held = await holders.of(addresses);
      const employers = new Set<string>();
      const last = addresses.findIndex((address) => {
        for (const id of employersAt(held, [address])) employers.add(id);
        return employers.size >= wanted;
      });
      return last < 0 ? addresses.length : last + 1;
    },
    async recordsOf(addresses) {
      expectUsual(ctx, spaces);
      const held = await holders.of(addresses);
      const ids = [...new Set(employersAt(held, addresses))];
      for (const id of ids) begun(encounters.isLookedUp(id));
      const contacts = addresses.flatMap((address) => held.get(address) ?? []).map(({ id }) => id);
      return { ids, sure: begun(readPeople([...new Set(contacts)])) };
    },
    expectLast(ids) {
      expectUsual(ctx, spaces);
      for (const id of ids) encounters.lastWithOrganization(id);
    },
    async lastOf(organizations, { seen }) {
      const last = await Promise.all(
        organizations.map((each) => (seen ? lastSeen(each) : encounters.lastWithOrganization(each.id))),
      );
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
