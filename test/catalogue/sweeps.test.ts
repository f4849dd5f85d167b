import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { expectNotFound } from '../support/failures.ts';
import { createRecords, type Records } from '../support/records.ts';
import { type Send, senderOf } from '../support/sender.ts';
import {
  closed,
  idsAmong,
  pathWith,
  type Sweep,
  sweeps,
  typesOf,
  unknownIds,
  withIds,
} from '../support/swept.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Rules for every operation, checked on every operation: each documented path with its own example. */

describe('every operation', () => {
  let workspace: Workspace;
  let sendRequest: Send;
  /** Of Grace in one account, and of Hank in the other. */
  let foreign: Records;
  let own: Records;
  beforeAll(async () => {
    workspace = await startWorkspace();
    sendRequest = senderOf(workspace);
    foreign = await createRecords(workspace, workspace.grace);
    own = await createRecords(workspace, workspace.hank);
  });
  afterAll(() => workspace.stop());

  const send = (sweep: Sweep, ids: string[], secret?: string) =>
    sendRequest(secret, sweep.method, pathWith(sweep, ids), { body: sweep.body });

  it('is swept', () => {
    expect(new Set(sweeps.map(({ name }) => name)).size).toBe(sweeps.length);
    expect(sweeps.length).toBeGreaterThanOrEqual(operations.length);
    const types = new Set(withIds.flatMap(typesOf));
    const missing = [...types].filter((type) => !foreign[type]);
    expect(missing, 'test/support/records.ts makes no record of these types').toEqual([]);
  });

  it.each(closed)('401 without a key: $name', async (sweep) => {
    const response = await send(sweep, unknownIds(sweep));
    expect([response.status, response.json.error?.code]).toEqual([401, 'unauthorized']);
  });

  it.each(closed.filter(({ access }) => access !== 'read'))('403 without access: $name', async (sweep) => {
    const keys = [workspace.hank.read_key, ...(sweep.access === 'session' ? [workspace.hank.write_key] : [])];
    for (const key of keys) {
      const response = await send(sweep, unknownIds(sweep), key);
      expect([response.status, response.json.error?.code]).toEqual([403, 'api_key_insufficient']);
    }
  });

  it.each(withIds)('404 for an id that is not a UUID: $name', async (sweep) => {
    for (const i of sweep.ids.keys())
      expectNotFound(
        await send(sweep, unknownIds(sweep).with(i, 'not-a-uuid'), workspace.hank.session_token),
      );
  });

  it.each(withIds)('404 for an unknown id: $name', async (sweep) => {
    expectNotFound(await send(sweep, unknownIds(sweep), workspace.hank.session_token));
  });

  it.each(withIds)('404 for records of another account: $name', async (sweep) => {
    const theirs = idsAmong(sweep, foreign);
    const mine = idsAmong(sweep, own);
    expectNotFound(await send(sweep, theirs, workspace.hank.session_token));
    expectNotFound(await send(sweep, mine.with(0, theirs[0] as string), workspace.hank.session_token));
  });

  it.each(closed)('400 for an unknown parameter, for a strict client: $name', async (sweep) => {
    const path = `${pathWith(sweep, unknownIds(sweep))}?unknown=1`;
    const headers: [string, string][] = [['Prefer', 'handling=strict']];
    const { status, json } = await sendRequest(workspace.hank.session_token, sweep.method, path, {
      body: sweep.body,
      headers,
    });
    expect([status, json.error?.code]).toEqual([400, 'invalid_request']);
    expect(json.error?.fields).toMatchObject({ unknown: { code: 'not_allowed' } });
  });

  it('leaves all records unchanged', async () => {
    const { grace } = workspace;
    const params = { id: foreign.contacts as string };
    const { contact } = (await grace.reader.retrieveContact({ params })).body;
    expect(contact.comments?.map(({ id }) => id)).toEqual([foreign.comments]);
    expect(contact.comments?.[0]?.html_content).toBe('Hello');
    expect(contact.comments?.[0]?.reactions).toMatchObject([{ id: foreign.reactions, text: '👍' }]);
    expect(contact.tags?.map(({ id }) => id)).toEqual([foreign.tags]);
    const { api_keys } = (await grace.session.listApiKeys()).body;
    expect(api_keys.map(({ id }) => id)).toContain(foreign.api_keys);
  });
});
