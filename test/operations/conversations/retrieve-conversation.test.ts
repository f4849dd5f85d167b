import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /conversations/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: the conversation', async () => {
    const { ada } = workspace;
    const created = await ada.api.createConversation({ body: { conversation: { title: 'Ferries' } } });
    const params = { id: created.body.conversation.id };
    const { status, body } = await ada.reader.retrieveConversation({ params });
    expect([status, body]).toEqual([200, created.body]);
  });

  it('404: a conversation of another user, of another account, and an unknown one', async () => {
    const { ada, grace, hank } = workspace;
    const { body } = await grace.api.createConversation({ body: { conversation: {} } });
    for (const user of [ada, hank])
      for (const id of [body.conversation.id, randomUUID()])
        expect(await codeOf(user.reader.retrieveConversation({ params: { id } }))).toBe(
          '404 record_not_found',
        );
  });
});
