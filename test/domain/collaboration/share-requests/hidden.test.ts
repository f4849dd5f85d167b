import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hidden } from '#shared/composition/hidden.ts';
import { contextOf } from '#shared/context.ts';
import { hiddenAmong } from '#shared/domain/collaboration/share-requests/hidden.ts';
import type { InteractionRef } from '#shared/domain/collaboration/share-requests/interaction.ts';
import { longIt } from '../../../support/long.ts';
import { ask, asked, givenHidden, givenHiddenEvent, tell, thread } from '../../../support/share-requests.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('hidden interactions', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const known = async (user: TestUser, ...refs: InteractionRef[]) => {
    const caller = { user: user.user, account: { id: user.user.account_id } };
    return hiddenAmong({ ...contextOf(workspace.ctx, hidden), caller } as never, refs);
  };

  longIt('are threads and events that the user does not see, of mailboxes that tell of them', async () => {
    const { ada, grace, hank } = workspace;
    const [on, off] = [await givenHidden(workspace, ada, 'On'), await givenHidden(workspace, ada, 'Off')];
    const { event_id } = await givenHiddenEvent(workspace, ada, 'On');
    await tell(ada, off.mailbox_id, false);
    const refs: InteractionRef[] = [
      { type: 'threads', id: on.thread_id },
      { type: 'calendar_events', id: event_id },
      { type: 'threads', id: off.thread_id },
      { type: 'threads', id: randomUUID() },
      { type: 'calendar_events', id: randomUUID() },
    ];
    const owner = { owner_user_ids: [ada.user.id] };
    expect(await known(grace, ...refs)).toEqual([
      { interaction_type: 'thread', interaction_id: on.thread_id, ...owner, share_request_status: null },
      { interaction_type: 'calendar_event', interaction_id: event_id, ...owner, share_request_status: null },
    ]);
    expect(await known(hank, ...refs)).toEqual([]);
  });

  it('tell how the last request of the user stands', async () => {
    const { ada, grace } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Asked');
    const status = async () =>
      (await known(grace, { type: 'threads', id: thread_id }))[0]?.share_request_status;
    const id = await asked(grace, thread(thread_id));
    expect(await status()).toBe('pending');
    await ada.api.denyShareRequest({ params: { share_request_id: id } });
    expect(await status()).toBe('denied');
    workspace.setTime(new Date(Date.now() + 90_000_000));
    await ask(grace, thread(thread_id));
    workspace.setTime(undefined);
    expect(await status()).toBe('pending');
  });
});
