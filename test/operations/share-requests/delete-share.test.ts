import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { givenGroup } from '../../support/groups.ts';
import { longIt } from '../../support/long.ts';
import { countOf, givenMail, onMailbox, onThread, subjectsOf } from '../../support/shares.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /{record_type}/{record_id}/shares/{id}', () => {
  let workspace: Workspace;
  let mailbox: string;
  let threads: Record<string, string>;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ mailbox, threads } = await givenMail(workspace, workspace.ada, ['Winch', 'Berth']));
  });
  afterAll(() => workspace?.stop());

  const shareWithGrace = async (params: ReturnType<typeof onThread> | ReturnType<typeof onMailbox>) => {
    const { ada, grace } = workspace;
    const { body } = await ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } });
    return { ...params, id: body.share.id };
  };

  it('204: hides the thread at once, from every list and count', async () => {
    const { ada, grace } = workspace;
    const params = await shareWithGrace(onThread(threads.Winch as string));
    expect(await subjectsOf(grace)).toEqual(['Winch']);
    expect((await ada.api.deleteShare({ params })).status).toBe(204);
    const queries: Record<string, string | boolean>[] = [
      {},
      { slice: 'shared' },
      { unread: true },
      { query: 'winch' },
      { slice: 'inbox' },
    ];
    for (const query of queries) {
      expect(await subjectsOf(grace, query)).toEqual([]);
      expect(await countOf(grace, query)).toBe(0);
    }
    const { body } = await grace.reader.listOpenThreads();
    expect(body.inbox).toEqual({ unread: [], flagged: [], other: [] });
    for (const attempt of [
      () => grace.reader.retrieveThread({ params: { id: threads.Winch as string } }),
      () => grace.api.flagThread({ params: { thread_id: threads.Winch as string } }),
      () => ada.api.deleteShare({ params }),
    ])
      expect(await codeOf(attempt())).toBe('404 record_not_found');
  });

  longIt('204: keeps access that the user has in another way', async () => {
    const { ada, grace } = workspace;
    const byThread = await shareWithGrace(onThread(threads.Berth as string));
    const byMailbox = await shareWithGrace(onMailbox(mailbox));
    expect(await subjectsOf(grace)).toEqual(['Berth', 'Winch']);
    await ada.api.deleteShare({ params: byMailbox });
    expect(await subjectsOf(grace)).toEqual(['Berth']);
    expect(await countOf(grace)).toBe(1);
    await ada.api.deleteShare({ params: byThread });
    expect(await subjectsOf(grace)).toEqual([]);
  });

  it('204: who joins the group at that moment keeps nothing in lists', async () => {
    const { ada, table, linus } = workspace;
    const { mailbox: other } = await givenMail(workspace, ada, ['Anchor']);
    const group = await givenGroup(ada);
    const params = onMailbox(other);
    const { body } = await ada.api.createShare({ params, body: { share: { group_id: group.id } } });
    const join = meanwhile(table, 'TransactWriteItemsCommand', () =>
      ada.api.createMembership({ params: { group_id: group.id }, body: { user_id: linus.user.id } }),
    );
    await ada.api.deleteShare({ params: { ...params, id: body.share.id } });
    join.remove();
    expect([join.hit, await countOf(linus, { query: 'anchor' })]).toEqual([true, 0]);
    const { account_id, id } = linus.user;
    expect((await table.get<User>(keys.user(account_id, id)))?.indexed_mailboxes).toEqual({});
  });

  it('422 share_is_inherited for what is shared with the mailbox', async () => {
    const { ada } = workspace;
    const params = await shareWithGrace(onMailbox(mailbox));
    const { body } = await ada.reader.listShares({ params: onThread(threads.Winch as string) });
    const inherited = { ...onThread(threads.Winch as string), id: body.shares[0]?.id as string };
    expect(await codeOf(ada.api.deleteShare({ params: inherited }))).toBe('422 share_is_inherited');
    expect(await subjectsOf(workspace.grace)).toEqual(['Berth', 'Winch']);
    await ada.api.deleteShare({ params });
  });

  it('403 for a user who may not share', async () => {
    const params = await shareWithGrace(onMailbox(mailbox));
    expect(await codeOf(workspace.grace.api.deleteShare({ params }))).toBe('403 permission_denied');
    await workspace.ada.api.deleteShare({ params });
  });
});
