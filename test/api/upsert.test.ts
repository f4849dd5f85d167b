import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '#shared/api/route.ts';
import { upserts } from '#shared/api/upsert.ts';
import { operations } from '../../functions/catalogue.ts';
import { failNth } from '../support/faults.ts';
import { longIt, reduced, STRIDE } from '../support/long.ts';
import { asJson, bearer, fieldCodes, raw } from '../support/raw.ts';
import { countRequestTrips } from '../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** docs/specification/requests.md, "Upserts", of every create that has it. */

const creates = operations.map(({ definition }) => definition).filter(upserts);

describe.each(
  creates.map(({ name, path, body }) => ({ name, path: path as string, wrapper: wrapperOf(body) })),
)('$name with upsert', ({ path, wrapper }) => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const type = path.slice(1) as 'contacts' | 'organizations' | 'deals' | 'tasks';
  type Shown = { id: string; name: string; external_id: string | null; description: string | null };

  async function send(
    user: TestUser,
    method: string,
    to: string,
    fields?: object,
    headers: [string, string][] = [],
  ) {
    const response = await raw(workspace.url, {
      method,
      path: to,
      headers: [bearer(user.write_key), ...headers, ...(fields ? [asJson] : [])],
      ...(fields ? { body: JSON.stringify({ [wrapper]: fields }) } : {}),
    });
    return {
      ...response,
      record: response.json[wrapper] as Shown,
      code: `${response.status} ${response.json.error?.code ?? 'ok'}`,
    };
  }
  const upsert = (fields: object, user = workspace.ada) =>
    send(user, 'POST', `${path}?upsert=external_id`, fields);
  const get = async (id: string, user = workspace.ada) => (await send(user, 'GET', `${path}/${id}`)).record;
  const holders = async (external_id: string, user = workspace.ada) => {
    const { json } = await raw(workspace.url, {
      path: `${path}?external_id=${external_id}`,
      headers: [bearer(user.read_key)],
    });
    return (json.collection as { records: Shown[] }).records;
  };
  const account = { visibility: 'account' };

  it('creates, then changes as PATCH does', async () => {
    const external_id = randomUUID();
    const first = await upsert({ name: 'One', description: 'Kept', external_id, ...account });
    expect([first.status, first.record.name]).toEqual([201, 'One']);
    const second = await upsert({ name: 'Two', external_id });
    expect([second.status, second.record]).toMatchObject([200, { id: first.record.id, name: 'Two' }]);
    expect(second.record.description).toMatch(/Kept/);
    const patched = await send(workspace.ada, 'PATCH', `${path}/${first.record.id}`, { name: 'Three' });
    const third = await upsert({ name: 'Three', external_id });
    expect([third.status, third.record]).toEqual([200, patched.record]);
    expect(third.headers.etag).toBe(patched.headers.etag);
    const cleared = await upsert({ name: 'Three', description: null, external_id });
    expect([cleared.status, cleared.record.description]).toEqual([200, null]);
    expect(await holders(external_id)).toHaveLength(1);
  });

  it('without the parameter, the external id is taken', async () => {
    const external_id = randomUUID();
    await upsert({ name: 'One', external_id });
    expect((await send(workspace.ada, 'POST', path, { name: 'Two', external_id })).code).toBe(
      '409 external_id_taken',
    );
  });

  longIt('ten at once: one creates, nine change, nothing is lost', async () => {
    const external_id = randomUUID();
    const names = Array.from({ length: 10 }, (_, i) => `Name ${i}`);
    const answers = await Promise.all(names.map((name) => upsert({ name, external_id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ record }) => record.id)).size).toBe(1);
    expect(answers.map(({ record }) => record.name)).toEqual(names);
    const [record, ...others] = await holders(external_id);
    expect([others, names.includes(record?.name as string)]).toEqual([[], true]);
  });

  longIt('many at once: one record, whoever gives up', async () => {
    const external_id = randomUUID();
    const names = Array.from({ length: reduced(50) }, (_, i) => `Name ${i}`);
    const answers = await Promise.all(names.map((name) => upsert({ name, external_id })));
    // A request fails when others are faster ten times (shared/table/backoff.ts); it can be repeated.
    const done = answers.filter(({ code }) => code !== '500 error');
    expect(done.map(({ status }) => status).sort()).toEqual([...Array(done.length - 1).fill(200), 201]);
    expect(new Set(done.map(({ record }) => record.id)).size).toBe(1);
    expect(await holders(external_id)).toMatchObject([{ id: done[0]?.record.id }]);
    const again = await upsert({ name: 'Again', external_id });
    expect([again.status, again.record.id]).toEqual([200, done[0]?.record.id]);
  });

  it('fields that several change at once all stay', async () => {
    const external_id = randomUUID();
    await upsert({ name: 'One', external_id });
    await Promise.all([
      upsert({ name: 'Two', external_id }),
      send(workspace.ada, 'PATCH', `${path}/${(await holders(external_id))[0]?.id}`, {
        description: 'Beside',
      }),
    ]);
    const [{ id } = { id: '' }] = await holders(external_id);
    const { name, description } = await get(id);
    expect([name, description]).toEqual(['Two', expect.stringContaining('Beside')]);
  });

  longIt('409 for the id of a hidden record, 403 for one that the user may only look at', async () => {
    const { ada, grace } = workspace;
    const external_id = randomUUID();
    const { record } = await upsert({ name: 'Secret', external_id, visibility: 'private' });
    const hidden = await upsert({ name: 'Mine', external_id }, grace);
    expect([hidden.code, fieldCodes(hidden)]).toEqual(['409 external_id_taken', { external_id: 'taken' }]);
    const params = { record_type: type, record_id: record.id };
    await ada.api.createShare({ params, body: { share: { user_id: grace.user.id, access: 'view' } } });
    expect((await upsert({ name: 'Mine', external_id }, grace)).code).toBe('403 permission_denied');
    expect((await get(record.id)).name).toBe('Secret');
    expect((await upsert({ name: 'Other account', external_id }, workspace.hank)).status).toBe(201);
  });

  longIt('404 for a link to a record that is not there, also when the record is', async () => {
    const unknown = randomUUID();
    const links = {
      contacts: { employments: [{ organization: { id: unknown } }] },
      deals: { contact_ids: [unknown] },
      tasks: { contact_ids: [unknown] },
      organizations: undefined,
    }[type];
    const external_id = randomUUID();
    const fields = { name: 'Linked', external_id, ...links };
    for (const status of links ? [404, 404] : [201, 200]) {
      expect((await upsert(fields)).status).toBe(status);
      if (links) await upsert({ name: 'There', external_id });
    }
    expect(await holders(external_id)).toMatchObject([{ name: links ? 'There' : 'Linked' }]);
  });

  it('creates again after a delete', async () => {
    const external_id = randomUUID();
    const first = await upsert({ name: 'One', external_id });
    await send(workspace.ada, 'DELETE', `${path}/${first.record.id}`);
    const second = await upsert({ name: 'Two', external_id });
    expect(second.status).toBe(201);
    expect(second.record.id).not.toBe(first.record.id);
  });

  it.each<[string, string, object, object]>([
    ['no external id', 'external_id', { name: 'One' }, { external_id: 'required' }],
    ['null', 'external_id', { name: 'One', external_id: null }, { external_id: 'required' }],
    ['another field', 'name', { name: 'One', external_id: 'x' }, { upsert: 'invalid' }],
    ['an empty value', '', { name: 'One', external_id: 'x' }, { upsert: 'invalid' }],
    [
      'what no create takes',
      'external_id',
      { external_id: 'x', name: 'One', id: randomUUID() },
      { id: 'not_allowed' },
    ],
    ['no name', 'external_id', { external_id: 'x' }, { name: 'required' }],
  ])('400 for %s', async (_what, value, fields, problems) => {
    const answer = await send(workspace.ada, 'POST', `${path}?upsert=${value}`, fields);
    expect([answer.code, fieldCodes(answer)]).toEqual(['400 invalid_request', problems]);
  });

  longIt('killed or failed at any call, a repeat ends right', async () => {
    for (let nth = 0; ; nth += STRIDE) {
      const external_id = randomUUID();
      const fault = failNth(workspace.table, nth);
      await upsert({ name: 'One', external_id });
      fault.remove();
      const again = await upsert({ name: 'Two', external_id });
      expect([200, 201]).toContain(again.status);
      expect(await holders(external_id)).toMatchObject([{ id: again.record.id, name: 'Two' }]);
      if (!fault.hit) break;
    }
  });

  it('costs a round trip', async () => {
    const external_id = randomUUID();
    const plain = await countRequestTrips(workspace, workspace.ada, () =>
      send(workspace.ada, 'POST', path, { name: 'Zero' }),
    );
    const first = await countRequestTrips(workspace, workspace.ada, () =>
      upsert({ name: 'One', external_id }),
    );
    expect(first.depth).toBe(plain.depth + 1);
  });
});

function wrapperOf(body: Route['body']): string {
  return Object.keys(body ?? {})[0] as string;
}

it('is for contacts, organizations, deals and tasks', () => {
  expect(creates.map(({ path }) => path)).toEqual(['/contacts', '/deals', '/organizations', '/tasks']);
});
