import { isRoleAddress } from '#shared/domain/collaboration/records/role-addresses.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { pageOf } from '#shared/domain/crm/contacts/pages.ts';
import { type Duplicate, pairIdOf, type Reason } from './duplicate.ts';
import { isSamePhone, isSimilarName } from './same.ts';

/** How likely two contacts with only this in common are one person. */
const weights: Record<Reason, number> = {
  same_email: 0.9,
  similar_name_same_organization: 0.7,
  same_phone: 0.6,
  same_link: 0.6,
  similar_name: 0.4,
};

type Same<T> = (a: T, b: T) => boolean;

const someSame = <T>(a: T[], b: T[], same: Same<T>) => a.some((one) => b.some((other) => same(one, other)));

const equal: Same<string> = (a, b) => a === b;

/** Without those of roles: who has the same one is a colleague. */
const addressesOf = ({ email_addresses }: Contact) =>
  email_addresses.map((each) => each.email_address).filter((address) => !isRoleAddress(address));
const phonesOf = ({ phone_numbers }: Contact) => phone_numbers.map((each) => each.phone_number);
const pagesOf = ({ links }: Contact) => links.map(({ url }) => pageOf(url));

/** Employers that the reader sees: a hidden one is no reason. */
const employersOf = ({ employments }: Contact, visible: ReadonlySet<string>) =>
  employments.flatMap(({ organization }) =>
    organization && visible.has(organization.id) ? [organization.id] : [],
  );

function reasonOfNames(a: Contact, b: Contact, visible: ReadonlySet<string>): Reason[] {
  if (!isSimilarName(a.name, b.name)) return [];
  const together = someSame(employersOf(a, visible), employersOf(b, visible), equal);
  return [together ? 'similar_name_same_organization' : 'similar_name'];
}

function reasonsOf(a: Contact, b: Contact, visible: ReadonlySet<string>): Reason[] {
  return [
    ...(someSame(addressesOf(a), addressesOf(b), equal) ? (['same_email'] as const) : []),
    ...(someSame(phonesOf(a), phonesOf(b), isSamePhone) ? (['same_phone'] as const) : []),
    ...(someSame(pagesOf(a), pagesOf(b), equal) ? (['same_link'] as const) : []),
    ...reasonOfNames(a, b, visible),
  ];
}

/** Reasons add up as independent ones do: each leaves less of the doubt. */
function scoreOf(found: Reason[]): number {
  const doubt = found.reduce((left, reason) => left * (1 - weights[reason]), 1);
  return Math.round((1 - doubt) * 100) / 100;
}

/** The other contact as a duplicate; undefined without a reason. `visible` are organizations that the reader sees. */
export function judge(contact: Contact, other: Contact, visible: ReadonlySet<string>): Duplicate | undefined {
  const reasons = reasonsOf(contact, other, visible);
  if (reasons.length === 0) return undefined;
  return { id: pairIdOf(contact.id, other.id), contact: other, score: scoreOf(reasons), reasons };
}

/** By their scores; the oldest contact first among equals. */
export const likeliestFirst = (duplicates: Duplicate[]) =>
  duplicates.toSorted((a, b) => b.score - a.score || (a.contact.id < b.contact.id ? -1 : 1));
