import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countPending } from '#shared/domain/collaboration/share-requests/list.ts';
import { problemsOf } from '../../support/failures.ts';
import {
  asked,
  event,
  givenHidden,
  givenHiddenEvent,
  received,
  sent,
  thread,
} from '../../support/share-requests.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /share_requests', () => {
  let workspace: Workspace;
  let first: string;
  let second: string;
  let third: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada, grace, linus } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Pier 4');
    const { event_id } = await givenHiddenEvent(workspace, ada, 'Pier 4');
    first = await asked(grace, thread(thread_id));
    second = await asked(grace, event(event_id));
    third = await asked(linus, thread(thread_id));
    await ada.api.denyShareRequest({ params: { share_request_id: third } });
  });
  afterAll(() => workspace?.stop());

  const ids = (some: { id: string }[]) => some.map(({ id }) => id);

  it('has pending requests that the user received, the newest first, with their records', async () => {
    const { ada } = workspace;
    const { body } = await ada.reader.listShareRequests();
    expect(body.share_requests).toMatchObject([
      { id: second, record: { name: 'Pier 4' }, status: 'pending' },
      { id: first, record: { subject: 'Pier 4' }, status: 'pending' },
    ]);
    expect(await countPending({ table: workspace.table, caller: { user: ada.user } as never })).toBe(2);
  });

  it('status=all: pending ones first; direction=sent: without records that the user does not see', async () => {
    const { ada, grace, linus } = workspace;
    expect(ids(await received(ada, 'all'))).toEqual([second, first, third]);
    expect(await sent(grace, 'all')).toMatchObject([
      { id: second, record: null },
      { id: first, record: null },
    ]);
    expect([await sent(linus), ids(await sent(linus, 'all'))]).toEqual([[], [third]]);
    for (const user of [grace, linus, workspace.hank]) expect(await received(user, 'all')).toEqual([]);
    expect(await sent(ada, 'all')).toEqual([]);
  });

  it('400 for other values', async () => {
    const query = { direction: 'both', status: 'denied' } as never;
    expect(await problemsOf(workspace.ada.reader.listShareRequests({ query }))).toEqual({
      direction: 'invalid',
      status: 'invalid',
    });
  });
});
