import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { asked, givenHidden, received, sent, thread } from '../../support/share-requests.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /share_requests/{id}', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const withdraw = ({ api }: TestUser, id: string) => api.deleteShareRequest({ params: { id } });

  it('204: nobody is asked any more, also a second time; nobody answers it', async () => {
    const { ada, grace } = workspace;
    const id = await asked(grace, thread((await givenHidden(workspace, ada, 'Winter')).thread_id));
    expect((await withdraw(grace, id)).status).toBe(204);
    expect((await withdraw(grace, id)).status).toBe(204);
    expect([await received(ada), await sent(grace)]).toEqual([[], []]);
    for (const list of [await received(ada, 'all'), await sent(grace, 'all')])
      expect(list).toMatchObject([{ id, status: 'withdrawn', answered_by_user_id: null, answered_at: null }]);
    const params = { share_request_id: id };
    expect(await codeOf(ada.api.approveShareRequest({ params, body: {} }))).toBe(
      '409 share_request_already_answered',
    );
    expect(await codeOf(ada.api.denyShareRequest({ params }))).toBe('409 share_request_already_answered');
  });

  it('404 for others, 403 for who is asked, 409 once it is answered', async () => {
    const { ada, grace, linus, hank } = workspace;
    const id = await asked(grace, thread((await givenHidden(workspace, ada, 'Rights')).thread_id));
    for (const user of [linus, hank]) expect(await codeOf(withdraw(user, id))).toBe('404 record_not_found');
    expect(await codeOf(withdraw(ada, id))).toBe('403 permission_denied');
    await ada.api.denyShareRequest({ params: { share_request_id: id } });
    expect(await codeOf(withdraw(grace, id))).toBe('409 share_request_already_answered');
    const headers = { 'If-Match': '"other"' };
    expect(await codeOf(grace.api.deleteShareRequest({ params: { id }, headers }))).toBe(
      '412 precondition_failed',
    );
  });
});
