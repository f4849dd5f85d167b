import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFirst, wrapperOf } from '../support/bodies.ts';
import { fieldCodes, type RawResponse } from '../support/raw.ts';
import { createRecords, type Records } from '../support/records.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { closed, idsAmong, pathWith, type Sweep } from '../support/swept.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** `Idempotency-Key` on every create (docs/specification/requests.md, "Idempotency-Key"), and creates that find what is there. */

const posts = closed.filter(({ method }) => method === 'POST').filter(isFirst);
const idempotent = posts.filter(({ definition }) => definition.idempotent);

/** Whose response is that of a record with a place among others, where repeats are counted. */
const unlisted: Record<string, string> = {
  sendDraft: 'needs a mailbox that sends: test/operations/drafts/send-draft.test.ts',
};
const creates = idempotent.filter(({ definition }) => !unlisted[definition.name]);

describe('a repeated request', () => {
  let workspace: Workspace;
  let send: Send;
  let records: Records;
  beforeAll(async () => {
    workspace = await startWorkspace();
    send = senderOf(workspace);
    records = await createRecords(workspace, workspace.ada);
  });
  afterAll(() => workspace.stop());

  const post = (sweep: Sweep, body: unknown, key?: string) => {
    const path = pathWith(sweep, idsAmong(sweep, records));
    const headers: [string, string][] = key === undefined ? [] : [['Idempotency-Key', key]];
    return send(workspace.ada.session_token, 'POST', path, { body, headers });
  };
  const replayed = ({ headers }: RawResponse) => headers['idempotent-replayed'];
  async function numberOf({ template }: Sweep): Promise<number> {
    const { json } = await send(workspace.ada.session_token, 'GET', template);
    const list = (json.collection as { records: object[] } | undefined)?.records ?? json[template.slice(1)];
    return (list as object[]).length;
  }

  it('has a key where the contract says so', () => {
    expect(idempotent.map(({ definition }) => definition.name).sort()).toEqual([
      'createCustomField',
      'createGroup',
      'createMilestone',
      'createPipeline',
      'createSpace',
      'sendDraft',
    ]);
  });

  it.each(creates)('with a key gets the first response, and creates nothing: $name', async (sweep) => {
    const key = randomUUID();
    const wrapper = wrapperOf(sweep) ?? '';
    const { user_ids: _, ...fields } = (sweep.body as Record<string, Record<string, unknown>>)[wrapper] ?? {};
    const before = await numberOf(sweep);
    const first = await post(sweep, { [wrapper]: fields }, key);
    expect([first.status, replayed(first)]).toEqual([201, undefined]);
    for (const body of [{ [wrapper]: fields }, { [wrapper]: { ...fields, name: 'Another' } }, {}]) {
      const again = await post(sweep, body, key);
      expect([again.status, replayed(again), again.text]).toEqual([201, 'true', first.text]);
      expect(again.headers.etag).toBe(first.headers.etag);
    }
    expect(await numberOf(sweep)).toBe(before + 1);
  });

  it.each(posts)('reads a key only where it counts: $name', async (sweep) => {
    const [plain, keyed] = [await post(sweep, []), await post(sweep, [], 'k'.repeat(256))];
    if (sweep.definition.idempotent) expect(fieldCodes(keyed)).toEqual({ 'Idempotency-Key': 'too_long' });
    else expect([keyed.status, keyed.json.error?.code]).toEqual([plain.status, plain.json.error?.code]);
  });
});
