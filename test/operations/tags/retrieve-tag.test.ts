import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failures.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /tags/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: any user of the account sees it, with the counts of records that user does not see', async () => {
    const { ada, grace } = workspace;
    const { id } = await givenThread(workspace, { users: [ada] });
    const applied = await ada.api.applyTag({
      params: { record_type: 'threads', record_id: id },
      body: { tag: { name: 'Renewal', color: '#2F6FED' } },
    });
    const tag_id = applied.body.tagging.tag_id;
    const { status, body } = await grace.reader.retrieveTag({ params: { id: tag_id.toUpperCase() } });
    expect(status).toBe(200);
    expect(body.tag).toEqual({
      id: tag_id,
      name: 'Renewal',
      color: '#2F6FED',
      description: null,
      applicable_to_contacts: false,
      applicable_to_interactions: false,
      contact_count: 0,
      organization_count: 0,
      deal_count: 0,
      thread_count: 1,
      file_count: 0,
      calendar_event_count: 0,
    });
  });

  it('404: the same for a tag of another account, a random id and a malformed one', async () => {
    const { body } = await workspace.grace.api.createTag({ body: { tag: { name: 'Secret' } } });
    const responses = await Promise.all(
      [body.tag.id, randomUUID(), 'nonsense'].map(async (id) => {
        const { status, message, code } = await failureOf(
          workspace.hank.reader.retrieveTag({ params: { id } }),
        );
        return { status, message, code };
      }),
    );
    expect(responses[0]).toMatchObject({ status: 404, code: 'record_not_found' });
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
  });
});
