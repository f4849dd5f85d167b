import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { asked, givenHidden, thread } from '../../support/share-requests.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /share_requests/{id}', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const retrieve = ({ reader }: TestUser, id: string) => reader.retrieveShareRequest({ params: { id } });
  const recordIn = async (response: ReturnType<typeof retrieve>) =>
    (await response).body.share_request.record;

  it('200 for who asks and who is asked, 404 for everybody else', async () => {
    const { ada, grace, linus, hank } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Winter timetable');
    const id = await asked(grace, thread(thread_id));
    expect(await recordIn(retrieve(grace, id))).toBe(null);
    expect(await recordIn(retrieve(ada, id))).toEqual({ id: thread_id, subject: 'Winter timetable' });
    for (const user of [linus, hank]) expect(await codeOf(retrieve(user, id))).toBe('404 record_not_found');
    for (const wrong of [randomUUID(), thread_id])
      expect(await codeOf(retrieve(ada, wrong))).toBe('404 record_not_found');
  });
});
