import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /tags', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: an account without tags has an empty page of size 0', async () => {
    const { status, body } = await workspace.hank.reader.listTags();
    expect(status).toBe(200);
    expect(body.collection).toEqual({ records: [], page: 1, per_page: 0, total_results: 0, pages: 1 });
  });

  it('200: every tag of the account by name, with its counts over all users', async () => {
    const { ada, grace, linus } = workspace;
    for (const name of ['zebra', 'Apple', 'mango']) await grace.api.createTag({ body: { tag: { name } } });
    for (const users of [[ada], [linus]]) {
      const { id } = await givenThread(workspace, { users });
      const params = { record_type: 'threads' as const, record_id: id };
      await users[0]?.api.applyTag({ params, body: { tag: { name: 'mango' } } });
    }
    const { body } = await grace.reader.listTags();
    expect(body.collection).toMatchObject({ page: 1, per_page: 3, total_results: 3, pages: 1 });
    expect(body.collection.records.map((tag) => [tag.name, tag.thread_count])).toEqual([
      ['Apple', 0],
      ['mango', 2],
      ['zebra', 0],
    ]);
    expect(body.collection.records[1]).toMatchObject({
      contact_count: 0,
      organization_count: 0,
      deal_count: 0,
      file_count: 0,
      calendar_event_count: 0,
    });
  });

  it('takes no parameters: paging ones are ignored', async () => {
    const url = `${workspace.url}/tags?page=2&per_page=1&next_cursor=x`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${workspace.grace.read_key}` } });
    expect(response.status).toBe(200);
    const { collection } = (await response.json()) as { collection: { records: unknown[] } };
    expect(collection.records).toHaveLength(3);
  });
});
