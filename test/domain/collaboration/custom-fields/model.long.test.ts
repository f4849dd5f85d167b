import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { runIndexing } from '#shared/domain/collaboration/record-lists/keeper.ts';
import { givenAccount } from '../../../support/accounts.ts';
import {
  bringAll,
  bringing,
  changeField,
  givenField,
  keepers,
  options,
} from '../../../support/custom-fields.ts';
import { failCall } from '../../../support/faults.ts';
import { reduced } from '../../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Lists by custom fields against a model that filters and sorts all records, while fields come, go and are indexed. */

const types = ['contacts', 'deals'] as const;

const values = fc.record(
  {
    number: fc.constantFrom(-1, 0, 2.5, 10, null),
    text: fc.constantFrom('a', 'B', 'b', 'ä, z', null),
    select: fc.constantFrom('x', 'y', 'z', null),
    many: fc.constantFrom([], ['x'], ['x', 'y'], ['z', 'x'], null),
  },
  { requiredKeys: [] },
);

type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;
type Key = 'number' | 'text' | 'select' | 'many';

const keysOf: Key[] = ['number', 'text', 'select', 'many'];
const defined = {
  number: { type: 'number' as const },
  text: { type: 'text' as const },
  select: { type: 'select' as const, options: options('x', 'y', 'z') },
  many: { type: 'multi_select' as const, options: options('x', 'y', 'z') },
};

const which = fc.nat();
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: kind('create'), by: fc.nat(1), hidden: fc.boolean(), values }),
    },
    { weight: 4, arbitrary: fc.record({ kind: kind('change'), which, values }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('hide'), which, hidden: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('remove'), which }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: kind('define'), key: fc.constantFrom(...keysOf), unique: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: kind('toggle'), key: fc.constantFrom(...keysOf) }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('forget'), key: fc.constantFrom(...keysOf) }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('bring'), fault: fc.nat(30) }) },
  ),
  { minLength: 15, maxLength: 30 },
);

interface Known {
  id: string;
  by: number;
  hidden: boolean;
  values: Record<string, unknown>;
}

const merged = (before: Record<string, unknown>, sent: Values) =>
  Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null));

const texts: Record<Key, string[]> = {
  number: ['2.5', '0,10', '-1'],
  text: ['b', 'ä, z'],
  select: ['x', 'y,z'],
  many: ['x', 'y,z'],
};

/** As the field reads it. */
const wantedBy = (key: Key, text: string): unknown[] => {
  if (key === 'text') return [text];
  return text.split(',').map((each) => (key === 'number' ? Number(each) : each));
};

const fold = (text: unknown) => String(text).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

describe('random lists by custom fields', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  async function worldOf(type: (typeof types)[number]) {
    const users = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const [boss] = users;
    const known: Known[] = [];
    const fields = new Map<Key, { id: string; indexed: boolean }>();
    const keeper = keepers[type];
    const some = (n: number) => known[n % Math.max(1, known.length)];

    async function bring(fault: number) {
      const failing = failCall(workspace.table, 1 + fault, fault % 2 ? 'before' : 'after');
      for (const { id } of await bringing(workspace, boss.user.account_id).catch(() => []))
        await runIndexing(workspace.ctx, listsOfRecords, id, () => false).catch(() => undefined);
      failing.remove();
      if (fault % 3) await bringAll(workspace, boss);
    }

    async function step(each: typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never) {
      switch (each.kind) {
        case 'create': {
          const visibility = each.hidden ? 'private' : 'account';
          const sent = { visibility, custom_fields: each.values };
          const made = await keeper.create(users[each.by] as TestUser, sent).catch(refusedAsTaken);
          if (made)
            known.push({ id: made.id, by: each.by, hidden: each.hidden, values: merged({}, each.values) });
          return;
        }
        case 'change':
        case 'hide': {
          const record = some(each.which);
          if (!record) return;
          const sent =
            each.kind === 'hide'
              ? { visibility: each.hidden ? 'private' : 'account' }
              : { custom_fields: each.values };
          const owner = users[record.by] as TestUser;
          if (!(await keeper.update(owner, record.id, sent).catch(refusedAsTaken))) return;
          if (each.kind === 'hide') record.hidden = each.hidden;
          else record.values = merged(record.values, each.values);
          return;
        }
        case 'remove': {
          const record = some(each.which);
          if (!record) return;
          await keeper.remove(users[record.by] as TestUser, record.id);
          known.splice(known.indexOf(record), 1);
          return;
        }
        case 'define': {
          if (fields.has(each.key)) return;
          const unique = each.unique && (each.key === 'number' || each.key === 'text');
          const more = { ...defined[each.key], record_type: type, indexed: true, unique };
          fields.set(each.key, await givenField(boss, each.key, more));
          return;
        }
        case 'toggle': {
          const field = fields.get(each.key);
          if (field) fields.set(each.key, await changeField(boss, field.id, { indexed: !field.indexed }));
          return;
        }
        case 'forget': {
          const field = fields.get(each.key);
          if (field) await boss.api.deleteCustomField({ params: { id: field.id } });
          fields.delete(each.key);
          return;
        }
        default:
          return bring(each.fault);
      }
    }

    const refusedAsTaken = (error: { code?: string }) => {
      if (error.code === 'custom_field_taken') return undefined;
      throw error;
    };

    const has = ({ values }: Known, key: Key, wanted: unknown[]) =>
      [values[key] ?? []].flat().some((value) => wanted.includes(value));

    async function ask(reader: number) {
      const user = users[reader] as TestUser;
      const visible = known.filter(({ hidden, by }) => !hidden || by === reader);
      for (const [key, { indexed }] of fields) {
        if (!indexed) continue;
        for (const text of texts[key]) {
          const wanted = visible.filter((record) => has(record, key, wantedBy(key, text)));
          const query = { custom_fields: { [key]: text } };
          const found = (await keeper.list(user, query)).records.map(({ id }) => id);
          expect(found.sort(), `${type} ${key}=${text}`).toEqual(wanted.map(({ id }) => id).sort());
          expect((await keeper.count(user, query)).total).toBe(wanted.length);
        }
        if (key === 'many') continue;
        for (const order of ['asc', 'desc']) {
          const { records } = await keeper.list(user, { sort: `custom_fields.${key}`, order });
          const shown = records.map(({ id }) => known.find((each) => each.id === id)?.values[key]);
          const valued = visible.map(({ values }) => values[key]).filter((value) => value !== undefined);
          const rank = (value: unknown) => (key === 'number' ? value : fold(value));
          const sorted = valued.map(rank).sort((a, b) => Number(a) - Number(b) || (`${a}` < `${b}` ? -1 : 1));
          if (order === 'desc') sorted.reverse();
          const rest = Array(visible.length - valued.length).fill(undefined);
          expect(shown.map((value) => (value === undefined ? undefined : rank(value)))).toEqual([
            ...sorted,
            ...rest,
          ]);
        }
      }
    }
    return { step, ask, settle: () => bringAll(workspace, boss) };
  }

  it.each(types)(
    'of %s are those of the model',
    async (type) => {
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const world = await worldOf(type);
          for (const each of all) await world.step(each);
          await world.settle();
          for (const reader of [0, 1]) await world.ask(reader);
        }),
        { numRuns: reduced(12), endOnFailure: true },
      );
    },
    120_000,
  );
});
