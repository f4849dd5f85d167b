import { type Body, call } from './api.ts';
import { between } from './detail.ts';
import { h, outside } from './dom.ts';
import { date, dayAndTime, money, short, title } from './format.ts';
import { nameOf } from './pane.ts';
import { placeOf } from './place.ts';
import { link, type RecordKind, type Shown } from './record-kind.ts';

/** Contacts, organizations and deals. */

type Contact = Body<'retrieveContact'>['contact'];
type Organization = Body<'retrieveOrganization'>['organization'];
type Deal = Body<'retrieveDeal'>['deal'];

const threadsOf = (filter: string, id: string) =>
  h('a', { href: placeOf({ section: 'threads', query: { [filter]: id } }) }, 'Show its threads');

const custom = (fields: unknown): Shown['facts'] =>
  Object.entries((fields ?? {}) as Record<string, unknown>).map(([name, value]) => [
    title(name),
    Array.isArray(value) ? value.join(', ') : value === null ? null : String(value),
  ]);

export const contacts: RecordKind<Contact, Contact> = {
  title: 'Contacts',
  letter: 'c',
  slices: {
    all: 'All',
    mine: 'Mine',
    pinned: 'Pinned',
    shared: 'Shared',
    recent: 'Recent',
    unemployed: 'Without employer',
  },
  comments: true,
  read: async (id) => (await call<'retrieveContact'>('GET', `/contacts/${id}`)).contact,
  row: ({ id, name, headline, employments, email_addresses, pinned, last_interaction_at }) => ({
    id,
    title: name,
    below: [
      headline ??
        employments.find(({ current }) => current)?.organization?.name ??
        email_addresses[0]?.email_address,
    ],
    marks: pinned ? ['Pinned'] : [],
    ...(last_interaction_at ? { when: short(last_interaction_at) } : {}),
  }),
  show: (contact) => ({
    ...contact,
    text: contact.description,
    facts: [
      ['Headline', contact.headline],
      [
        'Email',
        between(
          contact.email_addresses.map(({ email_address }) =>
            outside(`mailto:${email_address}`, email_address),
          ),
        ),
      ],
      [
        'Phone',
        between(
          contact.phone_numbers.map(({ phone_number }) => outside(`tel:${phone_number}`, phone_number)),
        ),
      ],
      [
        'Works at',
        between(
          contact.employments
            .filter(({ current }) => current)
            .map(({ title: job, organization }) =>
              h(
                'span',
                {},
                job,
                job && organization && ', ',
                organization && link('organization', organization.id, organization.name),
              ),
            ),
        ),
      ],
      ['Links', between(contact.links.map(({ url }) => outside(url)))],
      ['Birthday', contact.birthday && date(contact.birthday)],
      ...custom(contact.custom_fields),
      ['Last interaction', contact.last_interaction_at && dayAndTime(contact.last_interaction_at)],
      ['Threads', threadsOf('contact_id', contact.id)],
    ],
  }),
};

export const organizations: RecordKind<Organization, Organization> = {
  title: 'Organizations',
  letter: 'o',
  slices: { all: 'All', mine: 'Mine', shared: 'Shared', recent: 'Recent' },
  comments: true,
  read: async (id) => (await call<'retrieveOrganization'>('GET', `/organizations/${id}`)).organization,
  row: ({ id, name, domains, industry, last_interaction_at }) => ({
    id,
    title: name,
    below: [industry ?? domains.join(', ')],
    ...(last_interaction_at ? { when: short(last_interaction_at) } : {}),
  }),
  show: (organization) => ({
    ...organization,
    text: organization.description,
    facts: [
      ['Industry', organization.industry],
      ['Domains', organization.domains.join(', ')],
      ['Web site', organization.website_url && outside(organization.website_url)],
      ['Employees', organization.employee_count],
      [
        'People',
        between(
          (organization.employments ?? []).flatMap(({ contact }) =>
            contact ? [link('contact', contact.id, contact.name)] : [],
          ),
        ),
      ],
      ['Open deals', organization.open_deal_count],
      ...custom(organization.custom_fields),
      ['Threads', threadsOf('organization_id', organization.id)],
    ],
  }),
};

export const deals: RecordKind<Deal, Deal> = {
  title: 'Deals',
  letter: 'd',
  slices: { open: 'Open', won: 'Won', lost: 'Lost', mine: 'Mine', overdue: 'Overdue', shared: 'Shared' },
  comments: true,
  read: async (id) => (await call<'retrieveDeal'>('GET', `/deals/${id}`)).deal,
  row: ({ id, name, stage, amount, currency, organization, expected_close_on }) => ({
    id,
    title: name,
    below: [[money(amount, currency), organization?.name].filter(Boolean).join(', ')],
    marks: [stage.name],
    ...(expected_close_on ? { when: date(expected_close_on) } : {}),
  }),
  show: (deal) => ({
    ...deal,
    text: deal.description,
    facts: [
      ['Stage', deal.stage.name],
      ['Amount', money(deal.amount, deal.currency)],
      ['Probability', deal.probability === null ? null : `${deal.probability} %`],
      ['Expected to close', deal.expected_close_on && date(deal.expected_close_on)],
      [
        'Organization',
        deal.organization && link('organization', deal.organization.id, deal.organization.name),
      ],
      ['People', between(deal.contacts.map(({ id, name }) => link('contact', id, name)))],
      ['Assigned to', deal.assigned_user_id && nameOf(deal.assigned_user_id)],
      ['Lost because', deal.lost_reason],
      ...custom(deal.custom_fields),
    ],
  }),
};
