import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claim } from '#shared/domain/mail/label-sync/store.ts';
import { queues } from '#shared/queues/queues.ts';
import { changeLabels, givenSyncedMailbox, givenSyncedThread } from '../../../support/synced-thread.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** How long a job is held, against the life of the worker that holds it. */
describe('a claimed label job', () => {
  let workspace: Workspace;
  let mailbox: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    mailbox = await givenSyncedMailbox(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  it('stays claimed while its worker can be alive, and is free before its message comes back', async () => {
    const thread = await givenSyncedThread(workspace, workspace.ada, [[mailbox]]);
    const owed = await changeLabels(workspace, workspace.ada, thread, { flagged: true });
    const begin = new Date();
    const taken = (worker: string, seconds: number) =>
      claim(workspace.table, owed?.id as string, worker, new Date(begin.getTime() + seconds * 1_000));
    expect(await taken('first', 0)).toBeDefined();
    const { timeout } = queues['sync-labels'];
    for (const seconds of [0, 1, timeout / 2, timeout])
      expect(await taken('second', seconds)).toBeUndefined();
    // A message of a worker that was stopped is visible again after six times its time.
    expect(await taken('second', 6 * timeout)).toMatchObject({ worker: 'second' });
  });
});
