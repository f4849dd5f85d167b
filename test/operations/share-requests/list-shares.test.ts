import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { longIt } from '../../support/long.ts';
import { givenMail, onMailbox, onThread } from '../../support/shares.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /{record_type}/{record_id}/shares', () => {
  let workspace: Workspace;
  let mailbox: string;
  let thread: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const given = await givenMail(workspace, workspace.ada, ['Winch']);
    ({ mailbox } = given);
    thread = given.threads.Winch as string;
  });
  afterAll(() => workspace?.stop());

  const sharesOf = async (params: ReturnType<typeof onThread> | ReturnType<typeof onMailbox>) =>
    (await workspace.ada.reader.listShares({ params })).body.shares;

  it('200: none at first', async () => {
    expect(await sharesOf(onThread(thread))).toEqual([]);
    expect(await sharesOf(onMailbox(mailbox))).toEqual([]);
  });

  longIt('200: oldest first; a thread inherits those of its mailboxes', async () => {
    const { ada, grace } = workspace;
    const group = await givenGroup(ada);
    await ada.api.createShare({
      params: onThread(thread),
      body: { share: { user_id: grace.user.id, access: 'edit' } },
    });
    await ada.api.createShare({ params: onThread(thread), body: { share: { group_id: group.id } } });
    await ada.api.createShare({ params: onMailbox(mailbox), body: { share: { group_id: group.id } } });
    const shares = await sharesOf(onThread(thread));
    expect(shares).toMatchObject([
      { record_type: 'thread', user_id: grace.user.id, group_id: null, access: 'edit', source: 'direct' },
      { record_type: 'thread', user_id: null, group_id: group.id, access: 'view', source: 'direct' },
      { record_type: 'thread', user_id: null, group_id: group.id, access: 'view', source: 'mailbox' },
    ]);
    expect(await sharesOf(onMailbox(mailbox))).toMatchObject([
      { record_type: 'mailbox', record_id: mailbox, group_id: group.id, source: 'direct' },
    ]);
    const { body } = await ada.reader.listThreads();
    expect(body.collection.records[0]?.shares).toEqual(shares);
    const { body: one } = await ada.reader.retrieveMailbox({ params: { id: mailbox } });
    expect(one.mailbox.shares).toHaveLength(1);
    const { body: all } = await ada.reader.listMailboxes();
    expect(all.collection.records[0]?.shares).toBeNull();
  });

  it('404: the same for an invisible record as for a random id', async () => {
    for (const id of [thread, randomUUID()])
      for (const params of [onThread(id), onMailbox(id)])
        expect(await codeOf(workspace.hank.reader.listShares({ params }))).toBe('404 record_not_found');
  });
});
