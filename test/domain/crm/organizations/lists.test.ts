import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { planOrganization } from '#shared/domain/crm/organizations/create.ts';
import { organizationDraft } from '#shared/domain/crm/organizations/organization.ts';
import type { Beside } from '../../../support/list-beside.ts';
import { byExternalId, byPhoneNumber, PHONES } from '../../../support/list-filters.ts';
import { checkLists, type ListedFamily, matchesText } from '../../../support/list-model.ts';
import '../../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const WORDS = ['Acme', 'Acme-Werk', 'Öl', 'ÅSA', 'Zoë', 'Ферма', '李', '3M', 'b'];
const QUERIES = [
  'acme',
  'ac werk',
  'ol',
  'asa',
  'фер',
  '李',
  '3m',
  'd1',
  'example',
  'b example',
  '0123',
  '0199',
  '12',
];

/** The numbers from this one on are each in one organization. */
const UNIQUE = 200;

const fields = fc.record({
  name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  visibility: fc.constantFrom('account' as const, 'private' as const),
  phone_numbers: fc.subarray(PHONES, { maxLength: 2 }),
  domains: fc.uniqueArray(
    fc.nat({ max: UNIQUE }).map((number) => `d${number}.x.example`),
    { maxLength: 2 },
  ),
  external_id: fc.option(fc.nat({ max: UNIQUE }).map((number) => `crm-${number}`)),
  employees: fc.subarray([0, 1]),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const bodyOf = ({ phone_numbers, employees, ...plain }: Fields) => ({
  organization: { ...plain, phone_numbers: phone_numbers.map((phone_number) => ({ phone_number })) },
});

/** The organization employs these of the contacts beside it, and no other. */
async function employ({ api }: TestUser, id: string, employees: number[], { contact_ids }: Beside) {
  for (const [place, contact_id] of contact_ids.entries()) {
    const params = { id: contact_id };
    const { employments } = (await api.retrieveContact({ params })).body.contact;
    const others = employments.filter(({ organization }) => organization?.id !== id);
    const is_there = others.length < employments.length;
    if (is_there === employees.includes(place)) continue;
    const job = { title: 'Analyst', current: place === 0, organization: { id } };
    const sent = others.map(({ id: _, organization, ...each }) => ({
      ...each,
      organization: organization && { id: organization.id },
    }));
    const body = { contact: { employments: is_there ? sent : [...sent, job] } };
    await api.updateContact({ params, body });
  }
}

const organizations: ListedFamily<Fields> = {
  type: 'organizations',
  fields,
  plan: (ctx, drawn) => planOrganization(ctx, organizationDraft.parse(bodyOf(drawn).organization)),
  distinct: (drawn, place) => ({
    ...drawn,
    // More words would not fit into a transaction.
    phone_numbers: drawn.phone_numbers.slice(0, 1),
    domains: place % 2 === 0 ? [] : [`d${UNIQUE + place}.x.example`],
    external_id: place % 3 === 0 ? null : `crm-${UNIQUE + place}`,
    employees: [],
  }),
  async create(user, drawn, beside) {
    const { organization } = (await user.api.createOrganization({ body: bodyOf(drawn) })).body;
    await employ(user, organization.id, drawn.employees, beside);
    return organization;
  },
  async change(user, id, drawn, beside) {
    const body = bodyOf(drawn);
    const { organization } = (await user.api.updateOrganization({ params: { id }, body })).body;
    await employ(user, id, drawn.employees, beside);
    return organization;
  },
  remove: ({ api }, id) => api.deleteOrganization({ params: { id } }),
  list: ({ reader }, query) => reader.listOrganizations({ query }),
  count: ({ reader }, query) => reader.countOrganizations({ query }),
  taken: ['domain_taken', 'external_id_taken'],
  queries: QUERIES,
  matches: ({ name, domains, phone_numbers }, query) => matchesText(query, [name, ...domains], phone_numbers),
  slices: {},
  filters: {
    domain: {
      drawn: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      sent: (drawn, { fieldsAt }) => ({
        domain: ['d.x.example', ...drawn.flatMap((at) => fieldsAt(at).domains)].join(','),
      }),
      keeps: ({ domains }, { domain }) => domains.some((each) => domain?.split(',').includes(each)),
    },
    external_id: byExternalId,
    phone_number: byPhoneNumber,
    contact_id: {
      drawn: fc.tuple(fc.nat(1)),
      sent: ([place], { beside }) => ({ contact_id: beside.contact_ids[place as number] as string }),
      keeps: ({ employees }, { contact_id }, { contact_ids }) =>
        employees.some((place) => contact_ids[place] === contact_id),
    },
  },
};

describe('lists of organizations', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  it('have exactly the organizations that a scan of all finds, in order, after any changes', () =>
    checkLists(workspace, organizations));
});
