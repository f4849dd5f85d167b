import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimKey, keepResponse, releaseKey } from '#shared/domain/platform/idempotency/claim.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { codeOf, failureOf } from '../support/failures.ts';
import { crashAfter, failCall, loseResponse } from '../support/faults.ts';
import { reduced, STRIDE } from '../support/long.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, fieldCodes, raw } from '../support/raw.ts';
import { countRoundTrips } from '../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** docs/specification/requests.md, "Idempotency-Key". Groups stand for all creates that accept it. */
describe('Idempotency-Key', () => {
  let workspace: Workspace;
  let probes: Probes;
  beforeAll(async () => {
    workspace = await startWorkspace();
    probes = await startProbes(workspace.ctx);
  });
  afterAll(async () => {
    await probes.stop();
    await workspace.stop();
  });
  afterEach(() => workspace.setTime(undefined));

  const newKey = () => randomUUID() as string;
  const create = (key: string | undefined, group: object, user: TestUser = workspace.ada) =>
    user.api.createGroup({
      body: { group } as never,
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    });
  const named = async (prefix: string) =>
    (await workspace.ada.reader.listGroups()).body.collection.records.filter(({ name }) =>
      name.startsWith(prefix),
    );
  const start = Date.UTC(2060, 0, 1, 10, 30);
  const at = (milliseconds: number) => workspace.setTime(new Date(start + milliseconds));
  const DAY = 24 * 3_600_000;

  it('a repeat gets the first response and creates nothing', async () => {
    const key = newKey();
    const first = await create(key, { name: 'Repeated', color: '#2F6FED' });
    const second = await create(key, { name: 'Repeated', color: '#2F6FED' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    const replayed = [first, second].map(({ headers }) => headers.get('idempotent-replayed'));
    expect(replayed).toEqual([null, 'true']);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('ratelimit-limit')).toBe('600');
    expect(await named('Repeated')).toHaveLength(1);
  });

  it.each([
    ['another body', { group: { name: 'Other' } }],
    ['a body that would fail', { group: { name: '' } }],
    ['no body', undefined],
  ])('a repeat gets the first response whatever its body: %s', async (_, body) => {
    const key = newKey();
    const first = await create(key, { name: `Whatever ${key}` });
    const again = await raw(workspace.url, {
      method: 'POST',
      path: '/groups',
      headers: [bearer(workspace.ada.write_key), asJson, ['idempotency-key', key]],
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect([again.status, again.json]).toEqual([201, first.body]);
    expect(await named('Other')).toEqual([]);
  });

  it('a repeat gets the first response also when the record was changed or deleted since', async () => {
    const key = newKey();
    const first = await create(key, { name: 'Short-lived' });
    const params = { id: first.body.group.id };
    await workspace.ada.api.updateGroup({ params, body: { group: { name: 'Renamed' } } });
    expect((await create(key, {})).body).toEqual(first.body);
    await workspace.ada.api.deleteGroup({ params });
    expect((await create(key, {})).body).toEqual(first.body);
    expect(await codeOf(workspace.ada.reader.retrieveGroup({ params }))).toBe('404 record_not_found');
  });

  it('without it every request creates', async () => {
    await create(undefined, { name: 'Plain 1' });
    await create(undefined, { name: 'Plain 2' });
    expect(await named('Plain')).toHaveLength(2);
    expect(await codeOf(create(undefined, { name: 'Plain 1' }))).toBe('409 group_name_taken');
  });

  it('many requests at once create one record; the others get its response, or 409 while it runs', async () => {
    const key = newKey();
    const responses = await Promise.allSettled(
      Array.from({ length: reduced(50) }, (_, i) => create(key, { name: `At once ${i}` })),
    );
    const created = responses.flatMap((each) =>
      each.status === 'fulfilled' ? [each.value.body.group.id] : [],
    );
    const refused = responses.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(created.length).toBeGreaterThan(0);
    for (const failure of refused)
      expect(failure).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
    const groups = await named('At once');
    expect(groups).toHaveLength(1);
    expect(new Set(created)).toEqual(new Set([groups[0]?.id]));
    expect((await create(key, { name: 'At once 50' })).body.group.id).toBe(groups[0]?.id);
  });

  it('409 idempotency_key_in_use while the first runs, until its lease ends', async () => {
    const key = newKey();
    at(0);
    const request = { user_id: workspace.ada.user.id, path: '/groups', key };
    await claimKey(workspace.table, request, new Date(start));
    expect(await codeOf(create(key, { name: 'Leased' }))).toBe('409 idempotency_key_in_use');
    at(30_000);
    expect(await codeOf(create(key, { name: 'Leased' }))).toBe('409 idempotency_key_in_use');
    at(31_000);
    expect((await create(key, { name: 'Leased' })).status).toBe(201);
  });

  it('a request whose lease has ended can neither create nor free the key of the next one', async () => {
    const { table } = workspace;
    const request = { user_id: workspace.ada.user.id, path: '/groups', key: newKey() };
    const first = await claimKey(table, request, new Date(start));
    const second = await claimKey(table, request, new Date(start + 31_000));
    const response = { status: 201, content_type: 'application/json', body: '{}' };
    const late = table.transact([keepResponse(first, response, new Date(start + 32_000))]);
    await expect(late).rejects.toThrow(ConditionFailed);
    expect(await releaseKey(table, first)).toBeUndefined();
    await expect(claimKey(table, request, new Date(start + 33_000))).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    });
    await table.transact([keepResponse(second, response, new Date(start + 34_000))]);
    expect(await claimKey(table, request, new Date(start + 35_000))).toMatchObject({ response });
  });

  it('stores successes only: after 400, 404 and 409 the key is free', async () => {
    const key = newKey();
    await create(undefined, { name: 'Taken' });
    expect(await codeOf(create(key, { name: '' }))).toBe('400 invalid_request');
    expect(await codeOf(create(key, { name: 'Freed', user_ids: [randomUUID()] }))).toBe(
      '404 record_not_found',
    );
    expect(await codeOf(create(key, { name: 'Taken' }))).toBe('409 group_name_taken');
    expect((await create(key, { name: 'Freed' })).status).toBe(201);
    expect(await codeOf(create(newKey(), { name: 'Freed' }))).toBe('409 group_name_taken');
  });

  it('lasts 24 hours after the create; a second later the same key creates again', async () => {
    const key = newKey();
    at(0);
    const first = await create(key, { name: 'Day 1' });
    at(DAY);
    expect((await create(key, { name: 'Day 2' })).body).toEqual(first.body);
    at(DAY + 1_000);
    const next = await create(key, { name: 'Day 2' });
    expect(next.body.group).toMatchObject({ name: 'Day 2' });
    expect((await create(key, { name: 'Day 3' })).body).toEqual(next.body);
    expect((await named('Day ')).map(({ name }) => name)).toEqual(['Day 1', 'Day 2']);
  });

  it('is deleted by its time to live, never before it expires', async () => {
    const request = { user_id: workspace.ada.user.id, path: '/groups', key: newKey() };
    at(0);
    await create(request.key, { name: 'Cleaned up' });
    const claim = await claimKey(workspace.table, request, new Date(start));
    expect(Number(claim.expires_epoch) * 1_000).toBe(start + DAY);
  });

  it('keeps the same key of another user apart', async () => {
    const key = newKey();
    const ids = [];
    for (const user of [workspace.ada, workspace.grace, workspace.hank])
      ids.push((await create(key, { name: `Of ${user.user.name}` }, user)).body.group.id);
    expect(new Set(ids).size).toBe(3);
  });

  it('treats every API key and session of a user alike', async () => {
    const key = newKey();
    const first = await create(key, { name: 'By key' });
    const call = { headers: { 'Idempotency-Key': key }, body: { group: { name: 'By session' } } };
    expect((await workspace.ada.session.createGroup(call)).body).toEqual(first.body);
  });

  it('keeps the same key on another path apart', async () => {
    const key = newKey();
    await create(key, { name: 'On a path' });
    const post = (path: string) =>
      raw(probes.url, {
        method: 'POST',
        path,
        headers: [bearer(workspace.ada.write_key), ['Idempotency-Key', key]],
      });
    const first = await post('/once');
    expect([first.status, Object.keys(first.json)]).toEqual([201, ['made']]);
    expect((await post('/once')).json).toEqual(first.json);
  });

  it('does not return the response to an API key that may not write', async () => {
    const key = newKey();
    await create(key, { name: 'For writers' });
    const call = workspace.ada.reader.createGroup({
      headers: { 'Idempotency-Key': key },
      body: { group: { name: 'For writers' } },
    });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });

  it.each([
    ['empty', [''], 'invalid'],
    ['of white space', ['   '], 'invalid'],
    ['of 256 characters', ['k'.repeat(256)], 'too_long'],
    ['outside of ASCII', ['schlüssel'], 'invalid_format'],
    ['with a tab', ['a\tb'], 'invalid_format'],
    ['sent twice', ['a', 'a'], 'invalid'],
  ])('400 invalid_request for a key that is %s', async (what, sent, code) => {
    const response = await raw(workspace.url, {
      method: 'POST',
      path: '/groups',
      headers: [
        bearer(workspace.ada.write_key),
        asJson,
        ...sent.map((value): [string, string] => ['Idempotency-Key', value]),
      ],
      body: JSON.stringify({ group: { name: `Malformed ${what}` } }),
    });
    expect([response.status, response.json.error?.code]).toEqual([400, 'invalid_request']);
    expect(fieldCodes(response)).toEqual({ 'Idempotency-Key': code });
    expect(await named('Malformed')).toEqual([]);
  });

  it('takes 1 to 255 printable ASCII characters', async () => {
    for (const key of ['k', '~ !', 'k'.repeat(255)]) {
      const first = await create(key, { name: `Printable ${key.length}` });
      expect((await create(key, {})).body).toEqual(first.body);
    }
  });

  it('is ignored by other creates, even when malformed', async () => {
    const tag = (name: string) =>
      workspace.ada.api.createTag({
        headers: { 'Idempotency-Key': 'k'.repeat(300) },
        body: { tag: { name } },
      });
    const made = [await tag('One'), await tag('Two')];
    expect(new Set(made.map(({ body }) => body.tag.id)).size).toBe(2);
    expect(await codeOf(tag('One'))).toBe('409 tag_name_taken');
  });

  /** Three minutes later, so that authentication makes the same calls each time, and away from the full hour. */
  let minutes = 0;
  const later = () => at((minutes += 3) * 60_000);
  const user_ids = () => [workspace.grace.user.id];

  /** The calls of one create, the transaction last. */
  async function callsOfCreate(): Promise<string[]> {
    later();
    await workspace.ada.api.listGroups();
    later();
    const body = { name: `Measured ${minutes}`, user_ids: user_ids() };
    const { calls } = await countRoundTrips(workspace.table, () => create(newKey(), body));
    expect(calls.slice(-3)).toEqual(['PutItemCommand', 'BatchGetItemCommand', 'TransactWriteItemsCommand']);
    return calls;
  }

  it('creates one record with one retry, whichever call fails before or after it is executed', async () => {
    const { length } = await callsOfCreate();
    let hits = 0;
    // One call more than a create makes: it frees the key.
    for (let call = 1; call <= length + 1; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const [key, name] = [newKey(), `Fault ${call} ${when}`];
        later();
        const fault = failCall(workspace.table, call, when);
        const first = await create(key, { name, user_ids: user_ids() }).catch((error) => error);
        fault.remove();
        if (fault.hit) hits++;
        later();
        const { body } = await create(key, { name: `${name} again`, user_ids: user_ids() });
        expect((await named(name)).map(({ id }) => id)).toEqual([body.group.id]);
        if (first.status === 201) expect(first.body).toEqual(body);
        else expect([first.status, first.code]).toEqual([500, 'error']);
      }
    expect(hits).toBe(2 * Math.ceil(length / STRIDE));
  });

  it('a retry after a crash at any call writes the record, or returns the one that was written', async () => {
    const { length } = await callsOfCreate();
    for (let call = 1; call <= length; call += STRIDE) {
      const [key, name] = [newKey(), `Crash ${call}`];
      later();
      const crash = crashAfter(workspace.table, call);
      expect((await failureOf(create(key, { name, user_ids: user_ids() }))).status).toBe(500);
      expect(crash.hit).toBe(true);
      crash.remove();
      const written = (await named(name)).map(({ id }) => id);
      expect(written).toHaveLength(call === length ? 1 : 0);
      later();
      const { body } = await create(key, { name: `${name} again`, user_ids: user_ids() });
      expect((await named(name)).map(({ id }) => id)).toEqual([body.group.id]);
      if (call === length) expect([body.group.id]).toEqual(written);
    }
  });

  it.each(['PutItemCommand', 'TransactWriteItemsCommand'])(
    'a %s that the SDK sends twice, because its response was lost, counts once',
    async (command) => {
      const [key, name] = [newKey(), `Resent ${command}`];
      const lost = loseResponse(workspace.table, command);
      const first = await create(key, { name, user_ids: user_ids() });
      lost.remove();
      expect(lost.hit).toBe(true);
      expect((await create(key, {})).body).toEqual(first.body);
      expect((await named(name)).map(({ id }) => id)).toEqual([first.body.group.id]);
    },
  );

  it('an operation that forgets to keep its response fails', async () => {
    const post = (...headers: [string, string][]) =>
      raw(probes.url, {
        method: 'POST',
        path: '/forgetful',
        headers: [bearer(workspace.ada.write_key), ...headers],
      });
    expect((await post()).status).toBe(201);
    expect((await post(['Idempotency-Key', 'k'])).status).toBe(500);
  });
});
