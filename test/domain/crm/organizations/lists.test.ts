import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { planOrganization } from '#shared/domain/crm/organizations/create.ts';
import { organizationDraft } from '#shared/domain/crm/organizations/organization.ts';
import { checkLists, type ListedFamily, matchesText } from '../../../support/list-model.ts';
import '../../../support/long.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const WORDS = ['Acme', 'Acme-Werk', 'Öl', 'ÅSA', 'Zoë', 'Ферма', '李', '3M', 'b'];
const PHONES = ['+44 20 7946 0123', '12'];
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
  '12',
];

/** The numbers from this one on are each in one organization. */
const UNIQUE = 200;

const fields = fc.record({
  name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  visibility: fc.constantFrom('account' as const, 'private' as const),
  phone_numbers: fc.subarray(PHONES),
  domains: fc.uniqueArray(
    fc.nat({ max: UNIQUE }).map((number) => `d${number}.x.example`),
    { maxLength: 2 },
  ),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const bodyOf = ({ phone_numbers, ...plain }: Fields) => ({
  organization: { ...plain, phone_numbers: phone_numbers.map((phone_number) => ({ phone_number })) },
});

const organizations: ListedFamily<Fields> = {
  type: 'organizations',
  fields,
  plan: (ctx, drawn) => planOrganization(ctx, organizationDraft.parse(bodyOf(drawn).organization)),
  distinct: (drawn, place) => ({
    ...drawn,
    domains: place % 2 === 0 ? [] : [`d${UNIQUE + place}.x.example`],
  }),
  create: async ({ api }, drawn) => (await api.createOrganization({ body: bodyOf(drawn) })).body.organization,
  change: async ({ api }, id, drawn) =>
    (await api.updateOrganization({ params: { id }, body: bodyOf(drawn) })).body.organization,
  remove: ({ api }, id) => api.deleteOrganization({ params: { id } }),
  list: ({ reader }, query) => reader.listOrganizations({ query }),
  count: ({ reader }, query) => reader.countOrganizations({ query }),
  taken: ['domain_taken'],
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
