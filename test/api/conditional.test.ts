import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRetrieve } from '#shared/api/etag.ts';
import { operations } from '../../functions/catalogue.ts';
import { bearer, raw } from '../support/raw.ts';
import { createRecords, type Records } from '../support/records.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Retrieving a record that the client has already (RFC 9110, 13). */

/** What the path of an operation names, without those that the records of the tests do not have. */
const retrieves = operations
  .map(({ definition }) => definition)
  .filter((definition) => isRetrieve(definition) && definition.access !== 'public')
  .map(({ name, path }) => ({ name, path: path as string }));

describe('conditional requests', () => {
  let workspace: Workspace;
  let records: Records;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    workspace.ctx.config.cors_origins = ['https://app.example'];
    records = await createRecords(workspace, workspace.ada);
    const params = { calendar_event_id: records.calendar_events as string };
    const segments = [{ started_ms: 0, ended_ms: 1, text: 'Shall we begin?' }];
    await workspace.ada.api.createTranscript({ params, body: { transcript: { segments } } });
  });
  afterAll(() => workspace?.stop());

  const pathOf = (template: string) =>
    template.replaceAll(/([a-z_]+)\/\{\w+\}/g, (_, type: string) => `${type}/${records[type]}`);
  const get = (
    path: string,
    headers: [string, string][] = [],
    key = workspace.ada.read_key,
    method = 'GET',
  ) => raw(workspace.url, { method, path, headers: [bearer(key), ...headers] });
  const having = (etag: string): [string, string][] => [['If-None-Match', etag]];

  it('are about every operation that retrieves one record, and no other', () => {
    expect(retrieves.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['retrieveThread', 'retrieveContact', 'retrieveTag', 'retrieveCurrentUser']),
    );
    expect(
      operations.filter(({ name, definition }) => name.startsWith('list') && isRetrieve(definition)),
    ).toEqual([]);
  });

  it.each(retrieves)('$name: an ETag, and 304 without a body to who has it', async ({ path }) => {
    const first = await get(pathOf(path));
    expect(first.status).toBe(200);
    expect(first.headers.etag).toMatch(/^"[\w-]+\.[\w-]{43}"$/);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const again = await get(pathOf(path), having(first.headers.etag as string));
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers).toMatchObject({
      etag: first.headers.etag,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(again.headers).not.toHaveProperty('content-type');
    expect(again.headers).not.toHaveProperty('content-length');
    expect(again.headers).toHaveProperty('ratelimit-remaining');
  });

  it.each<[string, (etag: string) => string, number]>([
    ['the same, made weak on its way', (etag) => `W/${etag}`, 304],
    ['only its version', (etag) => `${etag.split('.')[0]}"`, 200],
    ['one of several', (etag) => `"a", W/"b",${etag}`, 304],
    ['any', () => '*', 304],
    ['another', () => 'W/"a"', 200],
    ['the beginning of it', (etag) => `${etag.slice(0, -2)}"`, 200],
    ['without quotes', (etag) => etag.slice(1, -1), 200],
    ['nothing', () => '', 200],
  ])('%s', async (_what, sent, status) => {
    const path = `/tags/${records.tags}`;
    const { etag } = (await get(path)).headers;
    expect((await get(path, having(sent(etag as string)))).status).toBe(status);
  });

  it('are for HEAD as well, and of two headers both count', async () => {
    const path = `/tags/${records.tags}`;
    const head = await get(path, [], workspace.ada.read_key, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    const { etag } = head.headers;
    expect(etag).toBe((await get(path)).headers.etag);
    const both = [...having('"a"'), ...having(etag as string)];
    expect((await get(path, both, workspace.ada.read_key, 'HEAD')).status).toBe(304);
  });

  it('see every change', async () => {
    const path = `/tags/${records.tags}`;
    const before = (await get(path)).headers.etag as string;
    const tag = { description: 'Changed' };
    await workspace.ada.api.updateTag({ params: { id: records.tags as string }, body: { tag } });
    const after = await get(path, having(before));
    expect([after.status, after.json.tag]).toMatchObject([200, tag]);
    expect(after.headers.etag).not.toBe(before);
  });

  it('never say that a record is there to who may not read it, nor with a wrong key', async () => {
    const path = `/threads/${records.threads}`;
    const { etag } = (await get(path)).headers;
    for (const sent of [etag as string, '*']) {
      const hidden = await get(path, having(sent), workspace.grace.read_key);
      expect([hidden.status, hidden.headers['cache-control'], hidden.headers.etag]).toEqual([
        ...[404, 'no-store', undefined],
      ]);
      expect((await get(path, having(sent), 'wsk_live_wrong')).status).toBe(401);
      expect((await get(path, [...having(sent), ['Accept', 'text/html']])).status).toBe(406);
    }
  });

  it('leave lists and other methods as they were', async () => {
    const list = await get('/tags', having('*'));
    expect([list.status, list.headers.etag, list.headers['cache-control']]).toEqual([
      ...[200, undefined, 'no-store'],
    ]);
    const path = `/tags/${records.tags}`;
    const post = await get(path, having('*'), workspace.ada.write_key, 'DELETE');
    expect(post.status).not.toBe(304);
  });

  it('work from web pages of the configured origins', async () => {
    const origin: [string, string] = ['Origin', 'https://app.example'];
    const path = `/contacts/${records.contacts}`;
    const first = await get(path, [origin]);
    expect(first.headers['access-control-expose-headers']).toContain('ETag');
    const again = await get(path, [origin, ...having(first.headers.etag as string)]);
    expect(again.status).toBe(304);
    expect(again.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      vary: expect.stringContaining('Origin'),
    });
  });
});
