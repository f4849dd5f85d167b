import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { asked, givenHidden, received, sent, thread } from '../../support/share-requests.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /share_requests/{share_request_id}/deny', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const deny = ({ api }: TestUser, share_request_id: string) =>
    api.denyShareRequest({ params: { share_request_id } });

  it('200: who asks sees the status and nothing else, and is not notified', async () => {
    const { ada, grace } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Winter timetable');
    const id = await asked(grace, thread(thread_id));
    const { body } = await deny(ada, id);
    const answer = { id, status: 'denied', answered_by_user_id: ada.user.id, share_id: null };
    expect(body.share_request).toMatchObject({ ...answer, record: { subject: 'Winter timetable' } });
    const mine = (await sent(grace, 'all')).find((each) => each.id === id);
    expect(mine).toMatchObject({ ...answer, record: null });
    expect((await grace.reader.listNotifications()).body.collection.records).toEqual([]);
    expect(await codeOf(grace.reader.retrieveThread({ params: { id: thread_id } }))).toBe(
      '404 record_not_found',
    );
    expect(await received(ada)).toEqual([]);
    expect(await codeOf(deny(ada, id))).toBe('409 share_request_already_answered');
  });

  it('404 for others, 403 for who asks', async () => {
    const { ada, grace, linus, hank } = workspace;
    const id = await asked(grace, thread((await givenHidden(workspace, ada, 'Rights')).thread_id));
    for (const user of [linus, hank]) expect(await codeOf(deny(user, id))).toBe('404 record_not_found');
    expect(await codeOf(deny(grace, id))).toBe('403 permission_denied');
  });
});
