import { describe, expect, it } from 'vitest';
import { threadLists } from '#shared/domain/mail/threads/keeper.ts';
import type { ListChange } from '#shared/domain/platform/lists/keeper.ts';

describe('changes of access and tags in lists of threads', () => {
  const now = new Date('2026-11-20T09:30:00.000Z');
  const [account_id, group_id, id] = ['account', 'group', 'record'];
  const user_ids = ['ada', 'grace'];

  it.each<[string, ListChange, object]>([
    [
      'a share of a thread: that thread, for everyone',
      { account_id, record: { type: 'threads', id }, user_ids },
      { account_id, thread_id: id },
    ],
    [
      'a share of a mailbox: its threads, for these users',
      { account_id, record: { type: 'mailboxes', id }, user_ids },
      { account_id, mailbox_id: id, user_ids },
    ],
    [
      'users of a group: what it was given',
      { account_id, group_id, user_ids },
      { account_id, group_id, user_ids },
    ],
    [
      'the end of a group: what it was given',
      { account_id, group_id, user_ids, ended: true },
      { account_id, group_id, user_ids, ended: true },
    ],
    [
      'tags: the lists of these tags',
      { account_id, type: 'threads', record_ids: [id], tag_ids: ['tag'] },
      { account_id, thread_ids: [id], tag_ids: ['tag'] },
    ],
  ])('%s', (_, change, body) => {
    const job = threadLists.jobAfter(change, now, 'cause');
    // Sent by its request; the sweep sends it when that cannot run any more.
    expect(job).toMatchObject({ id: 'cause', queue: 'index-threads', sends: 0, due: now.getTime() + 60_000 });
    expect(job?.body).toEqual(body);
  });

  it.each<[string, ListChange]>([
    ['tags of another type', { account_id, type: 'contacts', record_ids: [id], tag_ids: ['tag'] }],
    ['a share of another type', { account_id, record: { type: 'deals', id }, user_ids }],
  ])('nothing: %s', (_, change) => {
    expect(threadLists.jobAfter(change, now)).toBeUndefined();
  });

  it('a job without a cause has an id of its own', () => {
    const change: ListChange = { account_id, group_id, user_ids };
    const [first, second] = [threadLists.jobAfter(change, now), threadLists.jobAfter(change, now)];
    expect(first?.id).not.toBe(second?.id);
  });
});
