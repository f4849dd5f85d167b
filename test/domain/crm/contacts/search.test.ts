import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactChanges, contactDraft } from '#shared/domain/crm/contacts/contact.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { deleteContact } from '#shared/domain/crm/contacts/delete.ts';
import { loadContact } from '#shared/domain/crm/contacts/policy.ts';
import { contactPostings } from '#shared/domain/crm/contacts/postings.ts';
import { searchContacts } from '#shared/domain/crm/contacts/search.ts';
import { changeContact } from '#shared/domain/crm/contacts/update.ts';
import { contactDeletion, contactWrites } from '#shared/domain/crm/contacts/writes.ts';
import { foldForSearch } from '#shared/folding.ts';
import { ConditionFailed, type Write } from '#shared/table/table.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { callerOf } from '../../../support/callers.ts';
import { reduced } from '../../../support/long.ts';
import { bestOfFive, measureTable } from '../../../support/meter.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** The index against a model that scans every contact. */

const WORDS = ['Ann', 'Anna', 'Annabel', 'Bo', 'b', 'Łódź', 'Zoë', 'Ørsted', 'Ферма', '李', 'x9', 'ann-bo'];
const name = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const few = fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 3 });
/** With more words than one transaction has room for. */
const many = fc.nat({ max: 3 }).map((from) => Array.from({ length: 60 }, (_, i) => 100 + 7 * from + i));
const addresses = fc
  .oneof({ arbitrary: few, weight: 4 }, { arbitrary: many, weight: 1 })
  .map((numbers) => numbers.map((n) => ({ email_address: `q${n}.anna@w${n}x.example` })));
const fields = fc.record({
  name,
  nickname: fc.option(name),
  email_addresses: addresses,
  visibility: fc.constantFrom('account' as const, 'private' as const),
});
const changes = fc.record(
  {
    name,
    nickname: fc.option(name),
    email_addresses: addresses,
    visibility: fc.constantFrom('account', 'private'),
  },
  { requiredKeys: [] },
);

/** Of one contact; `which` is taken modulo the number of contacts. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), by: fc.nat(1), fields }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), which: fc.nat(), changes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('race' as const),
      which: fc.nat(),
      changes,
      others: changes,
      planned: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Race = Extract<Step, { kind: 'race' }>;

const QUERIES = [
  ...['ann', 'ANNA', 'a', 'b', 'bo', 'bo ann', 'lod', 'zoe', 'ørst', 'фер', '李', 'x', 'x9', 'q1', 'example'],
  ...['q1.anna@w1x.example', 'w10 ann', 'anna example', 'anna bo lodz zoe b', 'nobody', '!?', 'annabells'],
  ...['q120', 'w106', 'w113', 'q159', 'q16', 'w17 anna'],
];

/** The model: every word of the query is a prefix of a word of the contact. */
function matches({ name, nickname, email_addresses }: Contact, query: string): boolean {
  const split = (text: string) =>
    foldForSearch(text)
      .split(/[^\p{L}\p{N}\p{M}]+/u)
      .filter(Boolean);
  const words = split([name, nickname, ...email_addresses.map((entry) => entry.email_address)].join(' '));
  const terms = split(query);
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)));
}

describe('searching contacts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  async function world() {
    const users = await givenAccount(workspace, 2);
    const callers = await Promise.all(users.map(({ user }) => callerOf(workspace.table, user)));
    const contexts = callers.map((caller) => ({ ...workspace.ctx, caller }));
    const contacts: Contact[] = [];
    let now = Date.UTC(2093, 0, 1);
    const tick = () => new Date((now += 1_000));
    const ownerOf = (contact: Contact) =>
      contexts.find(({ caller }) => caller.user.id === contact.user_id) as (typeof contexts)[number];

    const writesOf = async (contact: Contact, after: Contact | undefined, before?: Contact) =>
      after
        ? contactWrites(ownerOf(contact), before, after)
        : (await contactDeletion({ ...ownerOf(contact), now: tick() }, before as Contact)).writes;

    /** Addresses of another contact that its owner sees are refused, which does not matter here. */
    const planned = (contact: Contact, after: Contact | undefined, before?: Contact) =>
      writesOf(contact, after, before).catch((error: { code?: string }): Write[] => {
        if (error.code === 'email_address_taken') return [];
        throw error;
      });

    async function save(writes: Write[]): Promise<boolean> {
      expect(writes.length).toBeLessThanOrEqual(93);
      if (writes.length > 0) await workspace.table.transact(writes);
      return writes.length > 0;
    }

    async function change(at: number, wanted: object) {
      const before = contacts[at] as Contact;
      const after = changeContact(before, contactChanges.parse(wanted), tick());
      if (!(await save(await planned(before, after, before)))) return;
      contacts[at] = (await loadContact(ownerOf(before), before.id)) as Contact;
    }

    /** A concurrent change of the contact, planned before or after, is written too late. */
    async function race(at: number, { changes, others, planned: when }: Race) {
      const before = contacts[at] as Contact;
      const late = changeContact(before, contactChanges.parse(others), tick());
      const plan = () => planned(before, late, before);
      const early = when === 'before' ? await plan() : undefined;
      await change(at, changes);
      if (contacts[at] === before) return;
      const commit = async () => save(early ?? (await plan()));
      const outcome = await commit().catch((error) => error);
      if (outcome !== false) expect(outcome).toBeInstanceOf(ConditionFailed);
    }

    async function take(step: Step) {
      if (step.kind === 'create') {
        const { caller } = contexts[step.by] as (typeof contexts)[number];
        const contact = newContact(caller, contactDraft.parse(step.fields), tick());
        if (await save(await planned(contact, contact))) contacts.push(contact);
        return;
      }
      if (contacts.length === 0) return;
      const at = step.which % contacts.length;
      if (step.kind === 'change') return change(at, step.changes);
      if (step.kind === 'race') return race(at, step);
      const [gone] = contacts.splice(at, 1) as [Contact];
      await save(await planned(gone, undefined, gone));
    }

    return { contexts, contacts, take };
  }

  async function walk(ctx: Parameters<typeof searchContacts>[0], query: string, limit: number) {
    const ids: string[] = [];
    let after: string | null | undefined;
    do {
      const page = await searchContacts(ctx, query, { limit, ...(after ? { after } : {}) });
      ids.push(...page.rows.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    return ids;
  }

  it('returns what a scan of every contact returns, newest first, after any changes', async () => {
    const steps = fc.array(step, { minLength: 8, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (taken, limit) => {
        const { contexts, contacts, take } = await world();
        for (const each of taken) await take(each);
        for (const ctx of contexts)
          for (const query of QUERIES) {
            const seen = contacts.filter(
              ({ visibility, user_id }) => visibility === 'account' || user_id === ctx.caller.user.id,
            );
            const ids = seen.filter((contact) => matches(contact, query)).map(({ id }) => id);
            expect(await walk(ctx, query, limit), query).toEqual(ids.sort().reverse());
          }
      }),
      { numRuns: reduced(4), endOnFailure: true },
    );
  });

  it('takes two round trips, at the same cost for any number of other contacts', bestOfFive, async () => {
    const { contexts } = await world();
    const [ctx] = contexts as [(typeof contexts)[number]];
    const now = new Date();
    const write = async (contacts: Contact[]) =>
      workspace.table.writeMany([...contacts, ...contacts.flatMap(contactPostings)].map((put) => ({ put })));
    const contactOf = (name: string) => newContact(ctx.caller, contactDraft.parse({ name }), now);
    const price = () =>
      measureTable(workspace.table, async () =>
        expect((await searchContacts(ctx, 'moi', { limit: 10 })).rows).toHaveLength(1),
      );
    await write([contactOf('Moira')]);
    const alone = await price();
    await write(Array.from({ length: 200 }, (_, i) => contactOf(`Anna ${i}`)));
    const among = await price();
    expect([alone.depth, among.depth]).toEqual([2, 2]);
    expect(among.read_units).toBe(alone.read_units);
  });

  describe('with more words than one transaction has room for', () => {
    const stems = Array.from({ length: 45 }, (_, i) => (i + 36).toString(36));
    const endingIn = (...endings: string[]) => ({
      email_addresses: stems.flatMap((stem) =>
        endings.map((end) => ({ email_address: `p${stem}${end}@a${stem}${end}.example` })),
      ),
    });

    async function given() {
      const { contexts, contacts, take } = await world();
      const draft = { name: 'Ada', nickname: null, visibility: 'account' as const };
      await take({ kind: 'create', by: 0, fields: { ...draft, ...endingIn('one', 'two') } });
      const [ctx] = contexts as [(typeof contexts)[number]];
      const [before] = contacts as [Contact];
      const plan = (changes: object) =>
        contactWrites(ctx, before, changeContact(before, contactChanges.parse(changes), new Date()));
      const foundBy = async (ending: string) => {
        // The last ones do not fit.
        const words = stems.slice(-10).flatMap((stem) => [`p${stem}${ending}`, `a${stem}${ending}`]);
        const found = await Promise.all(words.map((word) => searchContacts(ctx, word, { limit: 1 })));
        return found.filter(({ rows }) => rows[0]?.id === before.id).length;
      };
      return { remove: () => deleteContact({ ...ctx, now: new Date() }, before.id), plan, foundBy };
    }

    it('finds a contact by all words after a change was begun and abandoned', async () => {
      const { plan, foundBy } = await given();
      await plan(endingIn('one'));
      expect([await foundBy('one'), await foundBy('two')]).toEqual([20, 20]);
    });

    it('finds a contact by all words after a change from a stale state', async () => {
      const { plan, foundBy } = await given();
      await workspace.table.transact(await plan(endingIn('two', 'six')));
      expect([await foundBy('one'), await foundBy('two'), await foundBy('six')]).toEqual([0, 20, 20]);
      await expect(plan(endingIn('one'))).rejects.toBeInstanceOf(ConditionFailed);
      expect([await foundBy('two'), await foundBy('six')]).toEqual([20, 20]);
    });

    it('does not find a deleted contact before its dependents are removed', async () => {
      const { remove, foundBy } = await given();
      await remove();
      expect([await foundBy('one'), await foundBy('two')]).toEqual([0, 0]);
    });
  });

  it('changes postings with the contact, and leaves none behind', async () => {
    const { contexts, contacts, take } = await world();
    const [ctx] = contexts as [(typeof contexts)[number]];
    const draft = { name: 'Ada Byron', nickname: 'Countess', visibility: 'account' as const };
    const email_addresses = [{ email_address: 'ada@acme.example' }];
    await take({ kind: 'create', by: 0, fields: { ...draft, email_addresses } });
    const places: string[] = [];
    const there = async () => {
      const { account, user } = ctx.caller;
      const now = contacts.flatMap(contactPostings).map(({ PK }) => PK);
      places.push(...now);
      for (const place of new Set(places.flatMap((PK) => [PK, PK.replace(account.id, user.id)])))
        expect((await workspace.table.all(place)).length).toBe(now.includes(place) ? 1 : 0);
    };
    await there();
    await take({ kind: 'change', which: 0, changes: { name: 'Ada King', email_addresses: [] } });
    await there();
    await take({ kind: 'change', which: 0, changes: { visibility: 'private' } });
    await there();
    await take({ kind: 'delete', which: 0 });
    await there();
    expect(places.length).toBeGreaterThan(20);
  });
});
