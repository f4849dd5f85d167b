import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { checkLists, type ListedFamily, matchesText } from '../../../support/list-model.ts';
import '../../../support/long.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const WORDS = ['Ann', 'Anna', 'Annabel', 'Bo', 'b', 'Łódź', 'Zoë', 'Ørsted', 'Ферма', '李', 'x9', 'ann-bo'];
const PHONES = ['+44 20 7946 0123', '0341 555 0199', '12'];
const QUERIES = ['ann', 'A', 'bo ann', 'lod', 'ørst', 'фер', '李', 'x9', 'q1', 'example', 'anna example zoe'];
const DIGITS = ['7946', '0123', '60123', '4420', '0199', '12', '1', '9999'];

const name = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const fields = fc.record({
  name,
  nickname: fc.option(name),
  visibility: fc.constantFrom('account' as const, 'private' as const),
  phone_numbers: fc.subarray(PHONES, { maxLength: 2 }),
  addresses: fc.uniqueArray(fc.nat({ max: 400 }), { maxLength: 2 }),
  employed: fc.boolean(),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const addressOf = (number: number) => `q${number}.anna@w${number}x.example`;

function bodyOf({ phone_numbers, addresses, employed, ...plain }: Fields) {
  return {
    contact: {
      ...plain,
      phone_numbers: phone_numbers.map((phone_number) => ({ phone_number })),
      email_addresses: addresses.map((number) => ({ email_address: addressOf(number) })),
      employments: [{ title: 'Analyst', current: employed }],
    },
  };
}

const contacts: ListedFamily<Fields> = {
  type: 'contacts',
  fields,
  create: async ({ api }, drawn) => (await api.createContact({ body: bodyOf(drawn) })).body.contact,
  change: async ({ api }, id, drawn) =>
    (await api.updateContact({ params: { id }, body: bodyOf(drawn) })).body.contact,
  remove: ({ api }, id) => api.deleteContact({ params: { id } }),
  pin: ({ api }, contact_id, on) =>
    on ? api.pinContact({ params: { contact_id } }) : api.unpinContact({ params: { contact_id } }),
  list: ({ reader }, query) => reader.listContacts({ query }),
  count: ({ reader }, query) => reader.countContacts({ query }),
  taken: 'email_address_taken',
  queries: [...QUERIES, ...DIGITS],
  matches: ({ name, nickname, addresses, phone_numbers }, query) =>
    matchesText(query, [name, nickname, ...addresses.map(addressOf)], phone_numbers),
  slices: {
    pinned: ({ pinned_by }, { user }) => pinned_by.has(user.id),
    unemployed: (contact) => !contact.fields.employed,
  },
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
