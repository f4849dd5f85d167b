import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Write } from '#shared/table/table.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

class Taken extends Error {}

const names = new UniqueNames(keys.tagName, () => new Taken());
/** Compared as they are written. */
const ids = new UniqueNames(
  (account, id) => keys.externalId(account, 'contacts', id),
  () => new Taken(),
  (id) => id,
);

let workspace: Workspace;
let account: string;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace?.stop());
beforeEach(() => {
  account = randomUUID();
});

const write = (...writes: Write[]) => workspace.table.transact(writes);
const holder = async (kind: UniqueNames, name: string) =>
  (await kind.find(workspace.table, account, [name])).get(name);

describe.each([
  ['names', names, 'Ä Name', 'ä NAME', true],
  ['external ids', ids, 'crm-A', 'crm-a', false],
] as const)('%s', (_, kind, one, other, same) => {
  it(`${same ? 'are' : 'are not'} the same in another case`, async () => {
    await write(kind.take(account, one, 'a'));
    expect(await holder(kind, other)).toBe(same ? 'a' : undefined);
    const second = write(kind.take(account, other, 'b'));
    await (same ? expect(second).rejects.toThrow(Taken) : expect(second).resolves.toBeUndefined());
    expect(kind.change(account, 'a', { from: one, to: other })).toHaveLength(same ? 0 : 2);
  });

  it('are claimed once in an account, and again by the record that has them', async () => {
    await write(kind.take(account, one, 'a'));
    await write(kind.take(account, one, 'a'));
    await expect(write(kind.take(account, one, 'b'))).rejects.toThrow(Taken);
    await expect(write(kind.hold(account, one, 'b'))).rejects.toThrow(ConditionFailed);
    await write(kind.take(randomUUID(), one, 'b'));
    expect(await holder(kind, one)).toBe('a');
  });

  it('change from none, to another and to none, and release the old name', async () => {
    const changes = [
      { from: null, to: 'first' },
      { from: 'first', to: 'second' },
      { from: 'second', to: null },
    ];
    const held: (string | undefined)[] = [];
    for (const change of changes) {
      await write(...kind.change(account, 'a', change));
      held.push(await holder(kind, 'first'), await holder(kind, 'second'));
    }
    expect(held).toEqual(['a', undefined, undefined, 'a', undefined, undefined]);
    expect(kind.change(account, 'a', { from: null, to: null })).toEqual([]);
  });

  it('of another record are not released', async () => {
    await write(kind.take(account, one, 'a'));
    await expect(write(...kind.change(account, 'b', { from: one, to: null }))).rejects.toThrow(
      ConditionFailed,
    );
    expect(await holder(kind, one)).toBe('a');
  });
});
