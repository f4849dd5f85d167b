import type { Facts } from '#shared/domain/assistant/answering/assistant.ts';
import type { Contact, ContactChanges } from '#shared/domain/crm/contacts/contact.ts';
import { nameOf } from '#shared/domain/crm/contacts/name.ts';
import { pageOf } from '#shared/domain/crm/contacts/pages.ts';
import { ENTRIES } from '#shared/domain/crm/details/written.ts';
import { isSamePhone } from '#shared/domain/crm/duplicates/same.ts';
import type { OrganizationSummary } from '#shared/domain/crm/organizations/summary.ts';
import { foldName } from '#shared/folding.ts';

/** What facts change of a contact: what is empty, and what they contradict. */

type Changes = Omit<ContactChanges, 'custom_fields'>;

export interface Known {
  contact: Contact;
  /** The visible organizations of its jobs, by id. */
  employers: ReadonlyMap<string, OrganizationSummary>;
  /** The visible organization of the domain of its mail. */
  domain_holder: { id: string; name: string } | undefined;
}

const same = (a: string | null, b: string | null) => foldName(a ?? '') === foldName(b ?? '');

/** Both names of a contact without any; the family name of one whose given name is the same. */
function names({ first_name, last_name }: Contact, facts: Facts): Changes {
  if (facts.first_name === null || facts.last_name === null) return {};
  if (first_name === null && last_name === null)
    return { first_name: facts.first_name, last_name: facts.last_name };
  return same(first_name, facts.first_name) && !same(last_name, facts.last_name)
    ? { last_name: facts.last_name }
    : {};
}

const hasOwnName = (contact: Contact) => contact.name !== nameOf({ ...contact, name: null });

function phones({ phone_numbers: before }: Contact, { phone_numbers }: Facts): Changes {
  const fresh = phone_numbers.filter(
    (number, i) =>
      !before.some((known) => isSamePhone(known.phone_number, number)) &&
      !phone_numbers.slice(0, i).some((earlier) => isSamePhone(earlier, number)),
  );
  if (fresh.length === 0 || before.length + fresh.length > ENTRIES) return {};
  const kept = before.map(({ phone_number, label, primary }) => ({ phone_number, label, primary }));
  return { phone_numbers: [...kept, ...fresh.map((phone_number) => ({ phone_number }))] };
}

function links({ links: before }: Contact, facts: Facts): Changes {
  const known = new Set(before.map(({ url }) => pageOf(url)));
  const fresh = facts.links.filter((url) => !known.has(pageOf(url)) && known.add(pageOf(url)));
  if (fresh.length === 0 || before.length + fresh.length > ENTRIES) return {};
  return { links: [...before.map(({ url, label }) => ({ url, label })), ...fresh.map((url) => ({ url }))] };
}

type Job = Contact['employments'][number];

/** As it is sent. An organization that the user does not see is kept when it is left out. */
function sent({ employers }: Known, { title, organization, current, started_on, ended_on }: Job) {
  const visible = organization !== null && employers.has(organization.id);
  return { title, organization: visible ? { id: organization.id } : null, current, started_on, ended_on };
}

/** The title of the job that the contact has there; a first job, when there is none. */
function jobs(known: Known, { title, organization }: Facts): Changes {
  const { contact, employers, domain_holder } = known;
  const current = contact.employments.filter((job) => job.current);
  if (current.length === 0) {
    const employer = domain_holder ? { id: domain_holder.id } : organization && { name: organization };
    if (!employer || contact.employments.length >= ENTRIES) return {};
    const before = contact.employments.map((job) => sent(known, job));
    return { employments: [...before, { title, organization: employer, current: true }] };
  }
  const nameOfJob = ({ organization: held }: Job) => employers.get(held?.id ?? '')?.name ?? null;
  const there = current.filter(
    (job) =>
      (domain_holder && job.organization?.id === domain_holder.id) ||
      (organization !== null && same(nameOfJob(job), organization)),
  );
  const [job, ...others] = there;
  if (title === null || !job || others.length > 0 || same(job.title, title)) return {};
  return {
    employments: contact.employments.map((each) => ({
      ...sent(known, each),
      ...(each === job ? { title } : {}),
    })),
  };
}

export function changesOf(known: Known, facts: Facts): Changes {
  const { contact } = known;
  return {
    ...(hasOwnName(contact) && contact.first_name === null ? named(contact, facts) : names(contact, facts)),
    ...(contact.headline === null && facts.title !== null ? { headline: facts.title } : {}),
    ...phones(contact, facts),
    ...links(contact, facts),
    ...jobs(known, facts),
  };
}

/** The parts of a name that the team gave the contact as a whole. */
function named(contact: Contact, facts: Facts): Changes {
  const whole = [facts.first_name, facts.last_name].filter((part) => part !== null).join(' ');
  return same(contact.name, whole) ? names(contact, facts) : {};
}
