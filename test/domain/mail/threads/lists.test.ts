import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { inState, startedBefore } from '#shared/domain/mail/threads/lists/criteria.ts';
import { planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { Conjunction, ownedBy } from '#shared/domain/platform/postings/conjunction.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import { eml, givenEntry, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Cases in which lists and counts once disagreed or failed. */

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

describe('thread lists and their counts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  async function both(user: TestUser, query: Record<string, string | boolean>) {
    const { count } = (await user.reader.countThreads({ query })).body;
    return { listed: (await listAllThreads(user.reader, query)).length, counted: count.total };
  }

  it('are empty in the personal scope of a user without a mailbox, with any filters', async () => {
    const { ada, linus } = workspace;
    const thread = await givenThread(workspace, { users: [ada, linus] });
    await linus.api.flagThread({ params: { thread_id: thread.id } });
    expect(await both(linus, { flagged: true })).toEqual({ listed: 1, counted: 1 });
    expect(await both(linus, { flagged: true, scope: 'personal' })).toEqual({ listed: 0, counted: 0 });
  });

  it('are empty between two times in the wrong order', async () => {
    const query = { slice: 'today', last_sent_after: '2199-01-01T00:00:00Z' };
    expect(await both(workspace.ada, query)).toEqual({ listed: 0, counted: 0 });
  });

  it('have a thread once that is both shared with the user and in an accessible mailbox', async () => {
    const { ada, grace, table, account_id } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    await table.update<User>(keys.user(account_id, grace.user.id), {
      set: { mailboxes: at(mailbox, 'view'), indexed_mailboxes: at(mailbox, true) },
    });
    await importMail(workspace, ada, mailbox, [eml({ id: 'shared@x', subject: 'Ferry' })]);
    const record_id = (await listAllThreads(grace.reader))[0]?.id as string;
    await ada.api.createShare({
      params: { record_type: 'threads', record_id },
      body: { share: { user_id: grace.user.id } },
    });
    expect(await both(grace, { unread: true })).toEqual({ listed: 1, counted: 1 });
    expect(await both(grace, { slice: 'shared' })).toEqual({ listed: 1, counted: 1 });
  });

  it('have the threads of the inbox that match a query of one letter', async () => {
    expect(await both(workspace.grace, { slice: 'inbox', query: 'f' })).toEqual({ listed: 1, counted: 1 });
    expect(await both(workspace.grace, { slice: 'inbox', query: 'z' })).toEqual({ listed: 0, counted: 0 });
  });

  it('leave out a list whose threads are all newer than the rest of another one', async () => {
    const { hank, table } = workspace;
    const mailbox = await givenMailbox(workspace, hank, hank.user.account_id);
    const entry = (number: number, flagged?: 1) =>
      givenEntry(table, hank.user, {
        number,
        mailbox_ids: [mailbox],
        first_sent_at: new Date(START).toISOString(),
        ...(flagged ? { flagged } : {}),
      });
    await entry(1, 1);
    for (const number of [10, 11, 12, 13]) await entry(number);
    const plan = planOf([startedBefore(START + 5 * MINUTE), inState('flagged')]);
    const clauses = ownedBy(hank.user.id, plan.clauses);
    const found = new Conjunction(table, clauses, { page_size: 1, max_steps: 50 });
    expect(await found.take(10)).toHaveLength(1);
    expect(found.ended).toBe(true);
  });
});
