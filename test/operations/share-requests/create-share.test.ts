import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareable } from '#shared/composition/sharing.ts';
import type { GroupAccess } from '#shared/domain/identity/users/access.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, problemsOf, refusalsOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { givenGroup } from '../../support/groups.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { countOf, givenMail, onMailbox, onThread, subjectsOf } from '../../support/shares.ts';
import { givenTwoViews } from '../../support/two-views.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /{record_type}/{record_id}/shares', () => {
  let workspace: Workspace;
  let mailbox: string;
  let threads: Record<string, string>;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ mailbox, threads } = await givenMail(workspace, workspace.ada, ['Winch', 'Berth', 'Ferry']));
  });
  afterAll(() => workspace?.stop());

  const share = (
    user: 'ada' | 'grace' | 'linus' | 'hank',
    params: ReturnType<typeof onThread> | ReturnType<typeof onMailbox>,
    draft: object,
  ) => workspace[user].api.createShare({ params, body: { share: draft } });

  it('200: the thread is in the lists of the user at once, and the user is told', async () => {
    const { ada, grace } = workspace;
    const thread = threads.Winch as string;
    const { status, body } = await share('ada', onThread(thread), { user_id: grace.user.id });
    expect(status).toBe(200);
    expect(body.share).toMatchObject({
      record_type: 'thread',
      record_id: thread,
      user_id: grace.user.id,
      group_id: null,
      access: 'view',
      source: 'direct',
      shared_by_user_id: ada.user.id,
    });
    expect(await subjectsOf(grace)).toEqual(['Winch']);
    expect(await subjectsOf(grace, { slice: 'shared' })).toEqual(['Winch']);
    expect(await subjectsOf(grace, { scope: 'shared', query: 'win' })).toEqual(['Winch']);
    expect(await countOf(grace)).toBe(1);
    const { body: told } = await grace.reader.listNotifications();
    expect(told.collection.records).toMatchObject([
      {
        event: 'thread_shared',
        prompting_user_id: ada.user.id,
        payload: { id: thread, record_type: 'thread', subject: 'Winch', share: { id: body.share.id } },
      },
    ]);
  });

  it('200: the user reads the messages, and learns nothing of the mailbox', async () => {
    const { body } = await workspace.grace.reader.retrieveThread({ params: { id: threads.Winch as string } });
    expect(body.thread).toMatchObject({ mailbox_ids: [], message_count: 1, shares: [{ source: 'direct' }] });
    expect(body.thread.messages).toHaveLength(1);
    const hidden = workspace.grace.reader.retrieveMailbox({ params: { id: mailbox } });
    expect(await codeOf(hidden)).toBe('404 record_not_found');
    expect(await codeOf(workspace.grace.reader.listThreads({ query: { mailbox_id: mailbox } }))).toBe(
      '404 record_not_found',
    );
  });

  it('200: later mail of the thread is shared as well, and makes it unread for each user', async () => {
    const { ada, grace } = workspace;
    const params = { thread_id: threads.Winch as string };
    await grace.api.markThreadRead({ params });
    await importMail(workspace, ada, mailbox, [
      eml({
        id: 'late@x',
        subject: 'Re: Winch',
        in_reply_to: `${mailbox}-0@x`,
        date: 'Tue, 03 Nov 2026 10:00:00 +0000',
      }),
    ]);
    const { body } = await grace.reader.listThreads({ query: { subject: 'winch' } });
    expect(body.collection.records).toMatchObject([{ message_count: 2, read: false }]);
  });

  it('200: returns an existing share unchanged', async () => {
    const { grace } = workspace;
    const again = await share('ada', onThread(threads.Winch as string), {
      user_id: grace.user.id,
      access: 'edit',
    });
    expect(again.body.share.access).toBe('view');
    const { body } = await grace.reader.listNotifications();
    expect(body.collection.records).toHaveLength(1);
    const ten = await Promise.all(
      Array.from({ length: 10 }, () =>
        share('ada', onThread(threads.Ferry as string), { user_id: grace.user.id }),
      ),
    );
    expect(new Set(ten.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('200: with a group, every member sees it and is told, but not the actor', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(ada, [ada, grace, linus]);
    const told = async (user: typeof ada) =>
      (await user.reader.listNotifications({ query: { slice: 'mailbox_shared' } })).body.collection.records
        .length;
    await share('ada', onMailbox(mailbox), { group_id: group.id, access: 'edit' });
    expect(await subjectsOf(linus)).toEqual(['Winch', 'Ferry', 'Berth']);
    expect(await countOf(linus, { unread: true })).toBe(3);
    expect([await told(ada), await told(grace), await told(linus)]).toEqual([0, 1, 1]);
    const { body } = await linus.reader.retrieveMailbox({ params: { id: mailbox } });
    expect(body.mailbox.access).toBe('edit');
    expect(await subjectsOf(linus, { scope: 'shared' })).toEqual([]);
  });

  it('400: groups have 5,000 mailboxes at most, and the account still has room for its groups', async () => {
    const { ada, table } = workspace;
    const [box, other] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, ada)];
    const group = await givenGroup(ada);
    const key = keys.groupAccess(workspace.account_id);
    const before = await table.get<GroupAccess>(key);
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
    const given = Object.fromEntries(ids(4_999).map((id) => [id, 'view']));
    const empty = Object.fromEntries([group.id, ...ids(497)].map((id) => [id, {}]));
    await table.put({ ...key, group_count: 499, [randomUUID()]: given, ...empty });
    const withGroup = (id: string) => share('ada', onMailbox(id), { group_id: group.id });
    const { body } = await withGroup(box);
    expect(await problemsOf(withGroup(other))).toEqual({ share: 'invalid' });
    expect((await withGroup(box)).body).toEqual(body);
    expect(await givenGroup(ada)).toMatchObject({ users: [] });
    expect(JSON.stringify(await table.get(key)).length).toBeLessThan(300_000);
    await ada.api.deleteShare({ params: { ...onMailbox(box), id: body.share.id } });
    expect((await withGroup(other)).status).toBe(200);
    await table.put(before as GroupAccess);
  });

  it('200: a user who may edit a mailbox shares its threads', async () => {
    const { linus, grace } = workspace;
    const { body } = await share('linus', onThread(threads.Berth as string), { user_id: grace.user.id });
    expect(body.share.shared_by_user_id).toBe(linus.user.id);
  });

  it('200: opens the messages of the mailboxes that the sharer may share, and no others', async () => {
    const { ada, grace, linus } = workspace;
    const views = await givenTwoViews(workspace, ada, grace, ['Merger terms', 'Timetable']);
    await share('grace', onThread(views.id), { user_id: linus.user.id });
    const { body } = await linus.reader.retrieveThread({ params: { id: views.id } });
    expect(body.thread).toMatchObject({ subject: 'Timetable', message_count: 1 });
    expect(JSON.stringify(body)).not.toContain('Merger');
    const { body: told } = await linus.reader.listNotifications({ query: { slice: 'thread_shared' } });
    const about = told.collection.records.filter(({ payload }) => payload?.id === views.id);
    expect(about.map(({ payload }) => payload?.subject)).toEqual(['Timetable']);
  });

  longIt('a member who joins later sees it, and one who leaves no longer', async () => {
    const { ada, grace, linus } = workspace;
    const { mailbox: other, threads: more } = await givenMail(workspace, ada, ['Pier', 'Quay']);
    const group = await givenGroup(ada);
    await share('ada', onThread(more.Pier as string), { group_id: group.id });
    const at = { group_id: group.id };
    await ada.api.createMembership({ params: at, body: { user_id: linus.user.id } });
    expect(await subjectsOf(linus, { query: 'pier quay' })).toEqual([]);
    expect(await subjectsOf(linus, { subject: 'pier' })).toEqual(['Pier']);
    await share('ada', onMailbox(other), { group_id: group.id });
    expect(await subjectsOf(linus, { mailbox_id: other })).toEqual(['Quay', 'Pier']);
    await ada.api.createMembership({ params: at, body: { user_id: grace.user.id } });
    expect(await subjectsOf(grace, { mailbox_id: other })).toEqual(['Quay', 'Pier']);
    await grace.api.deleteMembership({ params: { ...at, user_id: grace.user.id } });
    expect(await subjectsOf(grace, { subject: 'quay' })).toEqual([]);
    await ada.api.deleteGroup({ params: { id: group.id } });
    expect(await subjectsOf(linus, { subject: 'pier' })).toEqual([]);
    expect(await countOf(linus, { subject: 'quay' })).toBe(0);
    const { body } = await ada.reader.listShares({ params: onMailbox(other) });
    expect(body.shares).toEqual([]);
  });

  it('200: who joins the group at that moment finds the threads of the mailbox', async () => {
    const { ada, table, linus } = workspace;
    const { mailbox: other } = await givenMail(workspace, ada, ['Anchor']);
    const group = await givenGroup(ada);
    const join = meanwhile(table, 'TransactWriteItemsCommand', () =>
      ada.api.createMembership({ params: { group_id: group.id }, body: { user_id: linus.user.id } }),
    );
    await share('ada', onMailbox(other), { group_id: group.id });
    join.remove();
    expect(join.hit).toBe(true);
    expect(await subjectsOf(linus, { mailbox_id: other })).toEqual(['Anchor']);
  });

  it('404: the group is deleted meanwhile, and nobody is told', async () => {
    const { ada, table, grace } = workspace;
    const { mailbox: other, threads: more } = await givenMail(workspace, ada, ['Capstan']);
    for (const params of [onThread(more.Capstan as string), onMailbox(other)]) {
      const group = await givenGroup(ada, [grace]);
      const end = meanwhile(table, 'TransactWriteItemsCommand', () =>
        ada.api.deleteGroup({ params: { id: group.id } }),
      );
      expect(await codeOf(share('ada', params, { group_id: group.id }))).toBe('404 record_not_found');
      end.remove();
      expect((await ada.reader.listShares({ params })).body.shares).toEqual([]);
    }
    const told = (await grace.reader.listNotifications()).body.collection.records;
    expect(told.map(({ payload }) => payload?.id)).not.toContain(more.Capstan);
  });

  it('403: for a user who may only view, and for a mailbox of another owner', async () => {
    const { grace, linus } = workspace;
    const { mailbox: view, threads: only } = await givenMail(workspace, linus, ['Rope']);
    await share('linus', onMailbox(view), { user_id: grace.user.id });
    for (const record of [onThread(only.Rope as string), onMailbox(view)])
      expect(await codeOf(share('grace', record, { user_id: workspace.ada.user.id }))).toBe(
        '403 permission_denied',
      );
  });

  it('404: a record that the user does not see, and a user of another account', async () => {
    const { ada, hank } = workspace;
    const thread = onThread(threads.Winch as string);
    const target = { user_id: workspace.grace.user.id };
    const nobody = { user_id: randomUUID() };
    expect(await codeOf(share('hank', thread, { user_id: ada.user.id }))).toBe('404 record_not_found');
    for (const draft of [nobody, { user_id: hank.user.id }, { group_id: randomUUID() }])
      expect(await codeOf(share('ada', thread, draft))).toBe('404 record_not_found');
    for (const record_type of shareable) {
      const params = { record_type, record_id: randomUUID() };
      const call = ada.api.createShare({ params, body: { share: target } });
      expect(await codeOf(call)).toBe('404 record_not_found');
    }
  });

  it('400: the 101st share of a record, also of some at once', async () => {
    const { ada, grace, linus } = workspace;
    const { threads: given } = await givenMail(workspace, ada, ['Crowded']);
    const params = onThread(given.Crowded as string);
    const shares = Array.from({ length: 99 }, (_, i) => {
      const share = {
        id: randomUUID(),
        user_id: randomUUID(),
        group_id: null,
        access: 'view',
        mailbox_ids: [],
      };
      return [share.id, { ...share, shared_by_user_id: null, created_at: new Date(i).toISOString() }];
    });
    await workspace.table.update<Thread>(keys.record('threads', params.record_id), {
      set: { shares: Object.fromEntries(shares) },
    });
    expect((await share('ada', params, { user_id: grace.user.id })).status).toBe(200);
    expect(await problemsOf(share('ada', params, { user_id: linus.user.id }))).toEqual({ share: 'invalid' });
    expect((await ada.reader.listShares({ params })).body.shares).toHaveLength(100);
    await workspace.table.update<Thread>(keys.record('threads', params.record_id), {
      set: { shares: Object.fromEntries(shares) },
    });
    const groups = await Promise.all(['Port', 'Starboard'].map((name) => givenGroup(ada, [], name)));
    const targets = [
      ...[grace, linus].map(({ user }) => ({ user_id: user.id })),
      ...groups.map(({ id }) => ({ group_id: id })),
    ];
    expect(await refusalsOf(targets.map((each) => share('ada', params, each)))).toEqual(Array(3).fill(400));
    expect((await ada.reader.listShares({ params })).body.shares).toHaveLength(100);
  });

  it('400: no target, two targets, or the caller as target', async () => {
    const { ada, grace } = workspace;
    const thread = onThread(threads.Winch as string);
    const problems = (draft: object) => problemsOf(share('ada', thread, draft));
    expect(await problems({})).toEqual({ user_id: 'required' });
    expect(await problems({ user_id: grace.user.id, group_id: grace.user.id })).toEqual({
      group_id: 'invalid',
    });
    expect(await problems({ user_id: ada.user.id })).toEqual({ user_id: 'invalid' });
    expect(await problems({ user_id: 'grace' })).toEqual({ user_id: 'invalid_format' });
    expect(await problems({ user_id: grace.user.id, access: 'owner' })).toEqual({ access: 'invalid' });
    expect(await problemsOf(ada.api.createShare({ params: thread, body: {} as never }))).toEqual({
      share: 'required',
    });
  });
});
