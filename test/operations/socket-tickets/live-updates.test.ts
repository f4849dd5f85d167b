import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../support/live.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ live: true });
});
afterAll(() => workspace.stop());

test('a new notification arrives as the list shows it, with the counts', async () => {
  const { ada, grace, live } = workspace;
  const { contact } = (await ada.api.createContact({ body: { contact: { name: 'Moira Bell' } } })).body;
  await live?.publish();
  const listener = await listen(grace);
  const share = { user_id: grace.user.id, access: 'view' as const };
  await ada.api.createShare({
    params: { record_type: 'contacts', record_id: contact.id },
    body: { share },
  });
  await live?.publish();
  await listener.settled();
  const { records } = (await grace.reader.listNotifications()).body.collection;
  expect(listener.of('notification.created')).toEqual([records[0]]);
  expect(listener.of('notification.counts')).toEqual([{ unread_counts: { contact_shared: 1 } }]);
});
