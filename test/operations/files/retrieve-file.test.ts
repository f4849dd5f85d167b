import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenFile } from '../../support/files.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /files/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: with comments and shares, for whom it is shared with; 404 for others', async () => {
    const { ada, linus, grace, hank } = workspace;
    const { id } = await givenFile(workspace, ada);
    const params = { record_type: 'files' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    await linus.api.createComment({ params, body: { comment: { html_content: '<p>Fine</p>' } } });
    const { file } = (await linus.reader.retrieveFile({ params: { id } })).body;
    expect(file).toMatchObject({
      comments: [{ user_id: linus.user.id, file_id: id }],
      shares: [{ user_id: linus.user.id, record_type: 'file', access: 'view' }],
    });
    for (const user of [grace, hank])
      expect(await codeOf(user.reader.retrieveFile({ params: { id } }))).toBe('404 record_not_found');
    expect(await codeOf(ada.reader.retrieveFile({ params: { id: randomUUID() } }))).toBe(
      '404 record_not_found',
    );
    const events = (await linus.reader.listNotifications({ query: { slice: 'file_shared' } })).body;
    expect(events.collection.records).toMatchObject([
      { payload: { id, record_type: 'file', name: 'offer.pdf' } },
    ]);
  });
});
