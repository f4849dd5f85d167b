import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contactDraft } from '#shared/domain/crm/contacts/contact.ts';
import { planContact } from '#shared/domain/crm/contacts/create.ts';
import type { Beside } from '../../../support/list-beside.ts';
import { byExternalId, byPhoneNumber, PHONES, several, which } from '../../../support/list-filters.ts';
import { checkLists, type ListedFamily, matchesText } from '../../../support/list-model.ts';
import '../../../support/long.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const WORDS = ['Ann', 'Anna', 'Annabel', 'Bo', 'b', 'Łódź', 'Zoë', 'Ørsted', 'Ферма', '李', 'x9', 'ann-bo'];
const QUERIES = ['ann', 'A', 'bo ann', 'lod', 'ørst', 'фер', '李', 'x9', 'q1', 'example', 'anna example zoe'];
const DIGITS = ['7946', '0123', '60123', '4420', '0199', '12', '1', '9999'];

/** The numbers from this one on are each in one contact. */
const UNIQUE = 400;

const name = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const fields = fc.record({
  name,
  nickname: fc.option(name),
  visibility: fc.constantFrom('account' as const, 'private' as const),
  phone_numbers: fc.subarray(PHONES, { maxLength: 2 }),
  addresses: fc.uniqueArray(fc.nat({ max: UNIQUE }), { maxLength: 2 }),
  external_id: fc.option(fc.nat({ max: UNIQUE }).map((number) => `crm-${number}`)),
  employments: fc.array(fc.record({ employer: fc.option(fc.nat(1)), current: fc.boolean() }), {
    maxLength: 2,
  }),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const addressOf = (number: number) => `q${number}.anna@w${number}x.example`;

function bodyOf(
  { phone_numbers, addresses, employments, ...plain }: Fields,
  { organization_ids }: Pick<Beside, 'organization_ids'>,
) {
  return {
    contact: {
      ...plain,
      phone_numbers: phone_numbers.map((phone_number) => ({ phone_number })),
      email_addresses: addresses.map((number) => ({ email_address: addressOf(number) })),
      employments: employments.map(({ employer, current }) => ({
        ...{ title: 'Analyst', current },
        organization: employer === null ? null : { id: organization_ids[employer] as string },
      })),
    },
  };
}

const filters: ListedFamily<Fields>['filters'] = {
  email_address: {
    drawn: several(which),
    sent: (drawn, { fieldsAt }) => ({
      email_address: [
        'nobody@w.example',
        ...drawn.flatMap((at) => fieldsAt(at).addresses.map(addressOf)),
      ].join(','),
    }),
    keeps: ({ addresses }, { email_address }) =>
      addresses.some((number) => email_address?.split(',').includes(addressOf(number))),
  },
  external_id: byExternalId,
  phone_number: byPhoneNumber,
  /** One or both organizations; current employments, past ones, or both. */
  employer: {
    drawn: fc.tuple(fc.nat(2), fc.nat(2)),
    sent: (
      [which, when],
      {
        beside: {
          organization_ids: [one = '', other = ''],
        },
      },
    ) => ({
      organization_id: [one, other, `${one},${other}`][which as number] as string,
      ...(when === 2 ? {} : { current: String(when === 1) }),
    }),
    keeps: ({ employments }, { organization_id, current }, { organization_ids }) =>
      employments.some(
        (each) =>
          each.employer !== null &&
          organization_id?.split(',').includes(organization_ids[each.employer] as string) &&
          (current === undefined || each.current === (current === 'true')),
      ),
  },
};

const contacts: ListedFamily<Fields> = {
  type: 'contacts',
  fields,
  plan: (ctx, drawn, beside) => planContact(ctx, contactDraft.parse(bodyOf(drawn, beside).contact)),
  distinct: (drawn, place) => ({
    ...drawn,
    // More words would not fit into a transaction.
    nickname: null,
    phone_numbers: drawn.phone_numbers.slice(0, 1),
    addresses: place % 2 === 0 ? [] : [UNIQUE + place],
    external_id: place % 3 === 0 ? null : `crm-${UNIQUE + place}`,
  }),
  create: async ({ api }, drawn, beside) =>
    (await api.createContact({ body: bodyOf(drawn, beside) })).body.contact,
  change: async ({ api }, id, drawn, beside) =>
    (await api.updateContact({ params: { id }, body: bodyOf(drawn, beside) })).body.contact,
  remove: ({ api }, id) => api.deleteContact({ params: { id } }),
  pin: ({ api }, contact_id, on) =>
    on ? api.pinContact({ params: { contact_id } }) : api.unpinContact({ params: { contact_id } }),
  list: ({ reader }, query) => reader.listContacts({ query }),
  count: ({ reader }, query) => reader.countContacts({ query }),
  taken: ['email_address_taken', 'external_id_taken'],
  queries: [...QUERIES, ...DIGITS],
  matches: ({ name, nickname, addresses, phone_numbers }, query) =>
    matchesText(query, [name, nickname, ...addresses.map(addressOf)], phone_numbers),
  slices: {
    pinned: ({ pinned_by }, { user }) => pinned_by.has(user.id),
    unemployed: ({ fields: { employments } }) => !employments.some(({ current }) => current),
  },
  filters,
};

describe('lists of contacts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  it('have exactly the contacts that a scan of all finds, in order, after any changes', () =>
    checkLists(workspace, contacts));
});
