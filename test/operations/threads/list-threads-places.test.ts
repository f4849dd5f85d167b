import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inMailbox, inState, received, sentBetween } from '#shared/domain/mail/threads/lists/criteria.ts';
import { findInbox } from '#shared/domain/mail/threads/lists/find.ts';
import { planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { isOfMailboxes, listNames } from '#shared/domain/mail/threads/lists/postings.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { callerOf } from '../../support/callers.ts';
import { longIt } from '../../support/long.ts';
import { givenMail } from '../../support/shares.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Lists may hold stale postings, and postings of words only prefixes: the thread itself decides. */
describe('postings in lists', () => {
  let workspace: Workspace;
  let mailbox: string;
  let threads: Record<string, string>;
  const SUBJECT = 'Alpha bravo charlie delta echo';
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const subjects = [SUBJECT, 'Alpha bravo charlie delta foxtrot', 'Harbour', 'Inlet', 'Jetty'];
    ({ mailbox, threads } = await givenMail(workspace, workspace.ada, subjects));
  });
  afterAll(() => workspace?.stop());

  const subjects = async (query: object) =>
    (await workspace.ada.reader.listThreads({ query })).body.collection.records.map(({ subject }) => subject);
  const count = async (query: object) =>
    (await workspace.ada.reader.countThreads({ query })).body.count.total;

  /** A stale posting of the thread, from before its last message. */
  const stale = async (list: string, subject: string) => {
    const id = threads[subject] as string;
    const { id: user } = workspace.ada.user;
    const entry = await workspace.table.get<ThreadEntry>(keys.threadEntry(user, id));
    const rank = `${timeRank(Date.parse(entry?.last_sent_at ?? '') - 86_400_000)}#${id}`;
    const owner = isOfMailboxes(list) ? mailbox : user;
    const place = await workspace.table.get<Item>(keys.posting(owner, list, entry?.rank as string));
    expect(place, list).toBeDefined();
    await workspace.table.put({ ...place, ...keys.posting(owner, list, rank) });
  };

  /** Newest first, as they were given. */
  const byTime = (a: string, b: string) =>
    Object.values(threads).indexOf(a) - Object.values(threads).indexOf(b);

  it('that are stale give the thread once, in lists and counts', async () => {
    const { body } = await workspace.ada.api.applyTag({
      params: { record_type: 'threads', record_id: threads.Harbour as string },
      body: { tag: { name: 'Moored' } },
    });
    const tag_id = body.tagging.tag_id;
    const { thread } = (
      await workspace.ada.reader.retrieveThread({ params: { id: threads.Harbour as string } })
    ).body;
    const sender = thread.messages?.[0]?.from_email_address as string;
    const lists: [string, Record<string, string>, number][] = [
      [listNames.all, {}, 5],
      [listNames.tag(tag_id), { tags: tag_id }, 1],
      [listNames.participant(sender), { participant: sender }, 5],
      [listNames.subject('harbo'), { subject: 'harbour' }, 1],
      [listNames.subject('harbo'), { query: 'harbour' }, 1],
    ];
    for (const [list, query, expected] of lists) {
      await stale(list, 'Harbour');
      const found = await subjects(query);
      expect([list, found.filter((each) => each === 'Harbour')]).toEqual([list, ['Harbour']]);
      expect([list, found.length]).toEqual([list, expected]);
      if (list !== listNames.all) expect([list, await count(query)]).toEqual([list, expected]);
    }
  });

  it('of a tag that the thread no longer carries do not count', async () => {
    const tag = (await workspace.ada.api.createTag({ body: { tag: { name: 'Adrift' } } })).body.tag.id;
    const id = threads.Inlet as string;
    const entry = await workspace.table.get<ThreadEntry>(keys.threadEntry(workspace.ada.user.id, id));
    await workspace.table.put({
      ...keys.posting(workspace.ada.user.id, listNames.tag(tag), entry?.rank as string),
    });
    for (const tag_operator of ['any', 'all'] as const)
      expect([await subjects({ tags: tag, tag_operator }), await count({ tags: tag, tag_operator })]).toEqual(
        [[], 0],
      );
  });

  longIt('of the four longest words are read, and the other words are checked', async () => {
    for (const [subject, expected] of [
      ['alpha bravo charlie delta echo', 1],
      ['alpha bravo charlie delta e', 1],
      ['alpha bravo charlie delta fox', 1],
      ['alpha bravo charlie delta golf', 0],
      ['alpha bravo charlie delta', 2],
      ['charlie d a b a', 2],
      ['charlie d x', 0],
      ['h', 1],
    ] as const) {
      expect([subject, (await subjects({ subject })).length]).toEqual([subject, expected]);
      expect([subject, await count({ subject })]).toEqual([subject, expected]);
    }
  });

  it('of the inbox give each thread once over all pages, filtered or not', async () => {
    const { table, ada } = workspace;
    const caller = await callerOf(table, ada.user);
    const plans = [[received], [received, inMailbox(mailbox)], [received, inState('unread'), sentBetween(0)]];
    for (const criteria of plans)
      for (const limit of [1, 2, 4, 5]) {
        const found: string[] = [];
        let after: string | undefined;
        do {
          const page = await findInbox({ ...workspace.ctx, caller }, planOf(criteria), { after, limit });
          found.push(...page.rows.map(({ thread }) => thread.id));
          after = page.next ?? undefined;
        } while (after && found.length < 20);
        expect([limit, found]).toEqual([limit, Object.values(threads).toSorted(byTime)]);
      }
  });
});
