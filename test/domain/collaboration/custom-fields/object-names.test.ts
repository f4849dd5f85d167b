import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepers } from '../../../support/custom-fields.ts';
import { failureOf, problemsOf } from '../../../support/failures.ts';
import { importFile } from '../../../support/imports.ts';
import { accept, givenProposal } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Keys of custom fields that mean something else for objects of JavaScript. */

const types = ['contacts', 'organizations', 'deals'] as const;

const PROTO = '__proto__';

const kept: Record<string, unknown>[] = [
  { constructor: 'x' },
  { prototype: 'x' },
  { constructor: ['x'], prototype: 1, toString: false, hasOwnProperty: 'x', valueOf: 'x' },
  { __proto: 'x', proto__: 'x', '__proto__.a': 'x', __PROTO__: 'x' },
];

const refused: Record<string, unknown>[] = [
  { [PROTO]: 'x' },
  { [PROTO]: null },
  { [PROTO]: { admin: true } },
  { a: 1, [PROTO]: 'x', b: 2 },
  { constructor: 'x', [PROTO]: ['x'] },
];

describe('custom fields with names of objects', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
  });
  afterAll(() => workspace.stop());

  const asCall = (made: Promise<unknown>) => made.then(() => ({ status: 201 }));
  const given = <T>(all: T[]) =>
    types.flatMap((type) => all.map((fields) => [type, JSON.stringify(fields), fields] as const));

  it.each(given(kept))('of %s stay as sent: %s', async (type, _, custom_fields) => {
    const { create, update } = keepers[type];
    const { id } = await create(ada, { custom_fields });
    const changed = await update(ada, id, { custom_fields: { other: 'y' } });
    expect(changed.custom_fields).toEqual({ ...custom_fields, other: 'y' });
    const gone = Object.fromEntries(Object.keys(custom_fields).map((name) => [name, null]));
    expect((await update(ada, id, { custom_fields: gone })).custom_fields).toEqual({ other: 'y' });
  });

  it.each(given(refused))('400: of %s: %s', async (type, _, sent) => {
    const { create, update } = keepers[type];
    const problem = { custom_fields: { code: 'invalid', message: 'cannot have the key __proto__' } };
    const failure = await failureOf(asCall(create(ada, { custom_fields: sent })));
    expect([failure.status, failure.fields]).toEqual([400, problem]);
    const custom_fields = { a: 'was', constructor: 'x' };
    const { id } = await create(ada, { custom_fields });
    expect((await failureOf(asCall(update(ada, id, { custom_fields: sent })))).fields).toEqual(problem);
    expect(await update(ada, id, {})).toMatchObject({ custom_fields, updated_at: null });
  });

  it('400: in a proposal, and in what accepting one changes', async () => {
    const { id: record_id } = await keepers.contacts.create(ada, {});
    const propose = (custom_fields: object) =>
      givenProposal(workspace, ada, { action_type: 'contact.update', params: { record_id, custom_fields } });
    const bad = { [PROTO]: 'x' };
    expect(await problemsOf(asCall(propose(bad)))).toEqual({ 'params.custom_fields': 'invalid' });
    const { id } = await propose({ a: 1 });
    expect(await problemsOf(asCall(accept(ada, id, { custom_fields: bad })))).toEqual({
      'changes.custom_fields': 'invalid',
    });
  });

  it('400: in a row of a file', async () => {
    const bytes = 'name,custom_fields.constructor,x\nOne,x,\nTwo,,y\n';
    const mapping = { x: `custom_fields.${PROTO}` };
    const { rows } = await importFile(workspace, ada, { bytes }, { record_type: 'organizations', mapping });
    expect(rows.map(({ status, error }) => [status, Object.keys(error?.fields ?? {})])).toEqual([
      ['created', []],
      ['failed', ['custom_fields']],
    ]);
  });
});
