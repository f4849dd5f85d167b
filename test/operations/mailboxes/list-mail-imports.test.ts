import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMailThroughApi, importThroughApi } from '../../support/mail.ts';
import { givenPendingImport } from '../../support/pending-import.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /mailboxes/{mailbox_id}/imports', () => {
  let workspace: Workspace;
  let mailbox_id: string;
  /** Oldest first. */
  let ids: string[];

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    mailbox_id = await givenMailbox(workspace, workspace.ada);
    const { id } = await importMailThroughApi(workspace, workspace.ada, mailbox_id, [eml({ id: 'a@x' })]);
    const junk = Buffer.from('From a@x Mon Nov  2 10:00:00 2026\nno header\n\n');
    const failed = await importThroughApi(workspace, workspace.ada, mailbox_id, junk);
    ids = [id, failed.id, await givenPendingImport(workspace, mailbox_id, [eml({ id: 'b@x' })])];
  });
  afterAll(() => workspace?.stop());

  const list = (query: { limit?: number; next_cursor?: string } = {}) =>
    workspace.ada.reader.listMailImports({ params: { mailbox_id }, query });

  it('200: lists them newest first, as they are retrieved but without their failures', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    const { records, ...rest } = body.collection;
    const retrieved = await Promise.all(
      ids.toReversed().map(async (id) => {
        const { body } = await workspace.ada.reader.retrieveMailImport({ params: { mailbox_id, id } });
        return { ...body.import, failures: [] };
      }),
    );
    expect(records).toEqual(retrieved);
    expect(records).toMatchObject([
      { status: 'pending', messages_total: null },
      { messages_failed: 1 },
      { status: 'complete', messages_imported: 1 },
    ]);
    expect(rest).toEqual({
      page_info: {
        limit: 50,
        next_cursor: null,
        prev_cursor: null,
        has_more_after: false,
        has_more_before: false,
      },
      filters: null,
      slice_key: null,
    });
  });

  it('200: pages forward, and ends with the page that has the oldest; its cursors are of this mailbox', async () => {
    const { body: first } = await list({ limit: 2 });
    expect(first.collection.records.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const next_cursor = first.collection.page_info.next_cursor as string;
    expect((await list({ limit: 1, next_cursor })).body.collection).toMatchObject({
      records: [{ id: ids[0] }],
      page_info: { limit: 1, next_cursor: null },
    });
    const other = await givenMailbox(workspace, workspace.ada);
    const params = { mailbox_id: other };
    await expect(
      workspace.ada.reader.listMailImports({ params, query: { next_cursor } }),
    ).rejects.toMatchObject({ status: 400, code: 'invalid_cursor' });
  });

  it('200: is empty for a mailbox without imports', async () => {
    const params = { mailbox_id: await givenMailbox(workspace, workspace.ada) };
    const { body } = await workspace.ada.reader.listMailImports({ params });
    expect(body.collection).toMatchObject({ records: [], page_info: { has_more_after: false } });
  });

  it('costs two reads besides the mailbox for any number of imports', async () => {
    const { calls } = await countRequestTrips(workspace, workspace.ada, () => list());
    expect(calls.filter((each) => each === 'QueryCommand')).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(6);
  });

  it('is open to users with access to the mailbox, and 404 for all others', async () => {
    const params = { mailbox_id };
    for (const user of [workspace.grace, workspace.hank])
      await expect(user.reader.listMailImports({ params })).rejects.toMatchObject({
        status: 404,
        code: 'record_not_found',
      });
    const share = { user_id: workspace.grace.user.id };
    const record = { record_type: 'mailboxes', record_id: mailbox_id } as const;
    await workspace.ada.api.createShare({ params: record, body: { share } });
    const { body } = await workspace.grace.reader.listMailImports({ params });
    expect(body.collection.records.map(({ id }) => id)).toEqual(ids.toReversed());
  });
});
