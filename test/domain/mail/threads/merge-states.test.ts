import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { allItems } from '../../../support/tags.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const FAR = '2200-01-01T00:00:00Z';

/** The state that the user has set on one thread; everything else is as in a new thread. */
type Kept = { read?: true; unread?: true; resolved?: true; flagged?: true; snoozed?: true };
const done: Kept = { read: true, resolved: true };

/**
 * Two conversations that the user's own mail joins, which makes nothing unread for the user. The younger one may be own mail
 * alone.
 */
const cases: [string, Kept, Kept & { own?: true }, object][] = [
  ['read and resolved both', done, done, { read: true, resolved: true }],
  ['read and resolved the older', done, {}, { read: false, resolved: false }],
  ['read and resolved the younger', {}, done, { read: false, resolved: false }],
  ['resolved one of two that are read', done, { read: true }, { read: true, resolved: false }],
  ['flagged the younger', done, { ...done, flagged: true }, { flagged: true, resolved: true }],
  ['snoozed the younger of two that are read', done, { ...done, snoozed: true }, { snooze_until: FAR }],
  ['snoozed the older of two that are read', { ...done, snoozed: true }, done, { snooze_until: FAR }],
  ['read the older, and own mail is unread', done, { own: true, unread: true }, { read: true }],
  ['read own mail, and the older is unread', {}, { own: true }, { read: false }],
  ['snoozed one, the other is unread', { ...done, snoozed: true }, {}, { snooze_until: null, read: false }],
];

describe('a user who', () => {
  let workspace: Workspace;
  let ids: [string, string][];
  let found: Awaited<ReturnType<typeof listAllThreads>>;
  const name = (i: number) => `Case${i}`;
  const summaries = (...of: string[]) =>
    Object.fromEntries(
      of.map((summary) => [summary.slice(0, 1), { headline: 'Merged', summary, version: 1 }]),
    );

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    const { ada, table } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    const at = (hour: number) => `Mon, 02 Nov 2026 ${hour}:00:00 +0000`;
    const bring = (make: (i: number) => Parameters<typeof eml>[0]) =>
      importMail(
        workspace,
        ada,
        mailbox,
        cases.map((_, i) => eml(make(i))),
      );
    const from = `Ada <${ada.user.email_address}>`;
    const mailOf = (i: number, n: number) => ({ id: `${i}-${n}@x`, subject: name(i), date: at(10 + n) });
    await bring((i) => mailOf(i, 1));
    const older = await listAllThreads(ada.reader);
    const byOwn = (i: number) => (cases[i]?.[2].own ? { from } : {});
    await bring((i) => ({ ...mailOf(i, 3), ...byOwn(i), in_reply_to: `${i}-2@x`, text: `Only${i}` }));
    const all = await listAllThreads(ada.reader);
    ids = cases.map((_, i) => {
      const [first, second] = [older, all.filter(({ id }) => !older.some((each) => each.id === id))].map(
        (threads) => threads.find(({ subject }) => subject === name(i))?.id as string,
      );
      return [first as string, second as string];
    });
    for (const [i, [, one, other]] of cases.entries())
      for (const [thread_id, kept] of [
        [ids[i]?.[0] as string, one],
        [ids[i]?.[1] as string, other],
      ] as const) {
        const params = { thread_id };
        if (kept.read) await ada.api.markThreadRead({ params });
        if (kept.unread) await ada.api.markThreadUnread({ params });
        if (kept.resolved) await ada.api.resolveThread({ params });
        if (kept.flagged) await ada.api.flagThread({ params });
        if (kept.snoozed) await ada.api.snoozeThread({ params, body: { snooze_until: FAR } });
      }
    for (const [n, made] of [summaries('a: older'), summaries('a: younger', 'b: younger')].entries())
      await table.update<Thread>(keys.record('threads', ids[0]?.[n] as string), { set: { summaries: made } });
    await bring((i) => ({
      ...mailOf(i, 2),
      in_reply_to: `${i}-1@x`,
      from,
      to: 'p@x.example',
    }));
    found = await listAllThreads(ada.reader);
  });
  afterAll(() => workspace?.stop());

  it.each(cases.map(([what, , , expected], i) => [what, i, expected] as const))(
    '%s finds that of the thread that they become',
    (_what, i, expected) => {
      const threads = found.filter(({ subject }) => subject === name(i));
      expect(threads).toMatchObject([{ id: ids[i]?.[0], message_count: 3, ...expected }]);
    },
  );

  it('reads the newer of two summaries, and one that only the other thread had', async () => {
    const thread = await workspace.table.get<Thread>(keys.record('threads', ids[0]?.[0] as string));
    expect(thread?.summaries).toEqual(summaries('a: older', 'b: younger'));
  });

  it('has no list with the merged thread, by words or by any filter', async () => {
    const gone = ids.map(([, younger]) => younger);
    const rows = (await allItems(workspace.table)).map(({ PK, SK }) => `${PK} ${SK}`);
    const ofUser = rows.filter((row) => row.includes(workspace.ada.user.id));
    expect(ofUser.some((row) => row.includes(ids[0]?.[0] as string))).toBe(true);
    expect(ofUser.filter((row) => gone.some((id) => row.includes(id)))).toEqual([]);
  });
});
