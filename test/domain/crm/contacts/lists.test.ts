import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import { foldForSearch } from '#shared/folding.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { givenGroup } from '../../../support/groups.ts';
import { long } from '../../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Lists of contacts and their counts, against a model that filters and sorts all contacts. */

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
type FieldsDrawn = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), by: fc.nat(2), fields }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), which: fc.nat(), fields }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pin' as const),
      which: fc.nat(),
      by: fc.nat(2),
      on: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('tag' as const),
      which: fc.nat(),
      tag: fc.nat(1),
      on: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('share' as const), which: fc.nat(), with: fc.nat(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('member' as const), who: fc.nat(2), on: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const question = fc.record(
  {
    slice: fc.constantFrom('all', 'mine', 'pinned', 'shared', 'recent', 'unemployed'),
    query: fc.constantFrom(...QUERIES, ...DIGITS),
    tags: fc.constantFrom('0', '1', '0,1'),
    tag_operator: fc.constantFrom('any', 'all'),
    updated_after: fc.nat({ max: 40 }),
    sort: fc.constantFrom('name', 'created_at', 'updated_at'),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

/** A contact of the model. */
interface Known {
  id: string;
  owner: string;
  fields: FieldsDrawn;
  created: number;
  touched: number;
  pinned_by: Set<string>;
  tags: Set<number>;
  shared_with: Set<string>;
}

const START = Date.UTC(2093, 0, 1);
const MINUTE = 60_000;
const addressOf = (number: number) => `q${number}.anna@w${number}x.example`;

function bodyOf({ phone_numbers, addresses, employed, ...plain }: FieldsDrawn) {
  return {
    ...plain,
    phone_numbers: phone_numbers.map((phone_number) => ({ phone_number })),
    email_addresses: addresses.map((number) => ({ email_address: addressOf(number) })),
    employments: [{ title: 'Analyst', current: employed }],
  };
}

const split = (text: string) =>
  foldForSearch(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);

/** Every word of the query begins a word of the contact; digits also begin or end a phone number. */
function matches({ name, nickname, addresses, phone_numbers }: FieldsDrawn, query: string): boolean {
  const words = split([name, nickname, ...addresses.map(addressOf), ...phone_numbers].join(' '));
  const numbers = phone_numbers.map((number) => number.replaceAll(/\D/g, ''));
  return split(query).every(
    (term) =>
      [...words, ...numbers].some((word) => word.startsWith(term)) ||
      (/^\d{4,}$/.test(term) && numbers.some((number) => number.endsWith(term))),
  );
}

describe('lists of contacts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  async function world() {
    const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
    const [ada] = users;
    const tag_ids = await Promise.all(
      ['One', 'Two'].map(async (name) => (await ada.api.createTag({ body: { tag: { name } } })).body.tag.id),
    );
    const group = await givenGroup(ada, [users[1]]);
    const members = new Set([users[1].user.id]);
    const known: Known[] = [];
    let now = START;
    const tick = () => workspace.setTime(new Date((now += MINUTE)));

    const sees = ({ owner, fields, shared_with }: Known, { user }: TestUser) =>
      fields.visibility === 'account' ||
      owner === user.id ||
      shared_with.has(user.id) ||
      (shared_with.has(group.id) && members.has(user.id));
    const isShared = ({ shared_with }: Known, { user }: TestUser) =>
      shared_with.has(user.id) || (shared_with.has(group.id) && members.has(user.id));
    const userOf = (id: string) => users.find(({ user }) => user.id === id) as TestUser;

    /** A taken address is refused, which does not matter here. */
    const unlessTaken = <T>(call: Promise<T>) =>
      call.catch((error: { code?: string }) => {
        if (error.code === 'email_address_taken') return undefined;
        throw error;
      });

    async function take(step: Step): Promise<void> {
      tick();
      if (step.kind === 'create') {
        const by = users[step.by] as TestUser;
        const created = await unlessTaken(by.api.createContact({ body: { contact: bodyOf(step.fields) } }));
        if (created)
          known.push({
            id: created.body.contact.id,
            owner: by.user.id,
            fields: step.fields,
            created: now,
            touched: now,
            pinned_by: new Set(),
            tags: new Set(),
            shared_with: new Set(),
          });
        return;
      }
      if (step.kind === 'member') {
        const { id: user_id } = (users[step.who] as TestUser).user;
        const params = { group_id: group.id };
        if (step.on) await ada.api.createMembership({ params, body: { user_id } });
        else await ada.api.deleteMembership({ params: { ...params, user_id } }).catch(() => undefined);
        members[step.on ? 'add' : 'delete'](user_id);
        return;
      }
      const at = step.which % known.length;
      const contact = known[at];
      if (!contact) return;
      const owner = userOf(contact.owner);
      const params = { id: contact.id };
      const on = { record_type: 'contacts' as const, record_id: contact.id };
      if (step.kind === 'change') {
        const changed = await unlessTaken(
          owner.api.updateContact({ params, body: { contact: bodyOf(step.fields) } }),
        );
        if (changed && changed.body.contact.updated_at === new Date(now).toISOString()) contact.touched = now;
        if (changed) contact.fields = step.fields;
      } else if (step.kind === 'pin') {
        const by = users[step.by] as TestUser;
        if (!sees(contact, by)) return;
        const pin = { params: { contact_id: contact.id } };
        await (step.on ? by.api.pinContact(pin) : by.api.unpinContact(pin));
        contact.pinned_by[step.on ? 'add' : 'delete'](by.user.id);
      } else if (step.kind === 'tag') {
        const tag_id = tag_ids[step.tag] as string;
        if (step.on) await owner.api.applyTag({ params: on, body: { tag_id } });
        else await owner.api.removeTag({ params: { ...on, tag_id } });
        contact.tags[step.on ? 'add' : 'delete'](step.tag);
      } else if (step.kind === 'share') {
        const target = step.with === 3 ? group.id : (users[step.with] as TestUser).user.id;
        if (target === contact.owner) return;
        const share = target === group.id ? { group_id: target } : { user_id: target };
        await owner.api.createShare({ params: on, body: { share } });
        contact.shared_with.add(target);
      } else {
        await owner.api.deleteContact({ params });
        known.splice(at, 1);
      }
    }

    const keeps = (
      contact: Known,
      reader: TestUser,
      { slice, query, tags, tag_operator, updated_after }: Question,
    ) => {
      const { user } = reader;
      const wanted = tags?.split(',').map(Number) ?? [];
      const carried = wanted.filter((tag) => contact.tags.has(tag)).length;
      const inSlice = {
        all: true,
        mine: contact.owner === user.id,
        pinned: contact.pinned_by.has(user.id),
        shared: isShared(contact, reader),
        recent: true,
        unemployed: !contact.fields.employed,
      }[slice ?? 'all'];
      return (
        sees(contact, reader) &&
        inSlice &&
        (query === undefined || matches(contact.fields, query)) &&
        (wanted.length === 0 || (tag_operator === 'all' ? carried === wanted.length : carried > 0)) &&
        (updated_after === undefined || contact.touched > START + updated_after * MINUTE)
      );
    };

    /** In order; undefined where only the id decides, which the model does not know better. */
    const place = ({ fields, created, touched }: Known, sort: Question['sort']) =>
      sort === 'created_at' ? created : sort === 'updated_at' ? touched : foldForSearch(fields.name);

    function queryOf({ tags, updated_after, ...plain }: Question) {
      return {
        ...plain,
        ...(tags === undefined
          ? {}
          : {
              tags: tags
                .split(',')
                .map((at) => tag_ids[Number(at)])
                .join(','),
            }),
        ...(updated_after === undefined
          ? {}
          : { updated_after: new Date(START + updated_after * MINUTE).toISOString() }),
      };
    }

    async function walk(reader: TestUser, query: object): Promise<ContactRecord[]> {
      const records: ContactRecord[] = [];
      let more: { next_cursor?: string } | undefined = {};
      while (more) {
        const sent: object = { ...query, ...more };
        const { body }: Awaited<ReturnType<typeof reader.reader.listContacts>> =
          await reader.reader.listContacts({ query: sent as never });
        const { records: page, page_info } = body.collection;
        records.push(...page);
        more = page_info.next_cursor === null ? undefined : { next_cursor: page_info.next_cursor };
      }
      return records;
    }

    async function check(reader: TestUser, asked: Question): Promise<void> {
      const wanted = known.filter((contact) => keeps(contact, reader, asked));
      const query = queryOf(asked);
      const found = await walk(reader, query);
      const context = JSON.stringify(asked);
      expect(found.map(({ id }) => id).sort(), context).toEqual(wanted.map(({ id }) => id).sort());
      const { sort = 'name', order = sort === 'name' ? 'asc' : 'desc' } = asked;
      const places = found.map(({ id }) => place(known.find((each) => each.id === id) as Known, sort));
      const sorted = places.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1));
      expect(places, context).toEqual(order === 'asc' ? sorted : sorted.reverse());
      const { sort: _, order: __, ...filters } = query as Record<string, unknown>;
      const { count } = (await reader.reader.countContacts({ query: filters as never })).body;
      expect(count, context).toEqual({ total: wanted.length, exact: true, capped: false, cap: null });
    }

    return { users, take, check };
  }

  it('have exactly the contacts that a scan of all finds, in order, after any changes', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 30 });
    const asked = long ? 84 : 12;
    const questions = fc.array(question, { minLength: asked, maxLength: asked });
    await fc.assert(
      fc.asyncProperty(steps, questions, async (taken, asked) => {
        const { users, take, check } = await world();
        for (const each of taken) await take(each);
        for (const [i, each] of asked.entries()) await check(users[i % 3] as TestUser, each);
      }),
      // A thousand questions in the long tests.
      { numRuns: long ? 12 : 1, endOnFailure: true },
    );
  });
});
