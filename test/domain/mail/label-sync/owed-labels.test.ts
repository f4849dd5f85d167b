import { describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { type LabelJob, owedLabels } from '#shared/domain/mail/label-sync/job.ts';
import type { EntryState } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Update } from '#shared/table/table.ts';

const user = { id: 'ada', account_id: 'acme', label_sync_mailbox_ids: new Set(['m1', 'm2']) } as User;
const now = new Date('2026-11-18T12:00:00Z');

const owed = (before: EntryState, after: EntryState, mailbox_ids = ['m0', 'm1'], by = user) =>
  owedLabels(by, { thread_id: 't', mailbox_ids, ...before }, after, now);

const labels = (...change: [EntryState, EntryState]) => {
  const { write } = owed(...change) ?? {};
  return write && 'update' in write && (write.update as Update<LabelJob>).add?.labels;
};

describe('the labels that a change owes to mail servers', () => {
  it('are those that changed', () => {
    expect(labels({}, { flagged: 1 })).toEqual(new Set(['flagged']));
    expect(labels({ flagged: 1, unread: 1 }, { unread: 1 })).toEqual(new Set(['flagged']));
    expect(labels({ unread: 1 }, {})).toEqual(new Set(['read']));
    expect(labels({}, { unread: 1 })).toEqual(new Set(['read']));
    expect(labels({ unread: 1 }, { flagged: 1 })).toEqual(new Set(['read', 'flagged']));
  });

  it.each<[string, EntryState, EntryState]>([
    ['a repeat', { flagged: 1, unread: 1 }, { flagged: 1, unread: 1 }],
    ['resolve', { unread: 1 }, { unread: 1, resolved: true }],
    ['reopen', { flagged: 1, resolved: true }, { flagged: 1 }],
    ['snooze', {}, { snooze_until: '2027-01-01T00:00:00Z' }],
    ['unsnooze', { snooze_until: '2027-01-01T00:00:00Z' }, {}],
  ])('are none for %s', (_title, before, after) => expect(owed(before, after)).toBeUndefined());

  it('are none when the user owns no mailbox of the thread with label_sync on', () => {
    const { label_sync_mailbox_ids: _none, ...without } = user;
    expect(owed({}, { flagged: 1 }, ['m0', 'm3'])).toBeUndefined();
    expect(owed({}, { flagged: 1 }, [])).toBeUndefined();
    expect(owed({}, { flagged: 1 }, ['m0', 'm1'], without as User)).toBeUndefined();
  });

  it('are one job for each user and thread', () => {
    const job = (by = user.id, thread_id = 't') =>
      owedLabels({ ...user, id: by }, { thread_id, mailbox_ids: ['m1'] }, { flagged: 1 }, now);
    expect(job()).toEqual(job());
    expect(new Set([job()?.id, job('grace')?.id, job('ada', 'u')?.id]).size).toBe(3);
    expect(job()).toMatchObject({
      ...keys.job(job()?.id as string),
      queue: 'sync-labels',
      body: { user_id: 'ada', account_id: 'acme', thread_id: 't' },
    });
  });
});
