import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { listNames } from '#shared/domain/mail/threads/lists/postings.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { shareMailbox, stopSharingMailbox } from '../../../support/events.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { expectMailboxLists } from '../../../support/mailbox-lists.ts';
import { measureTable } from '../../../support/meter.ts';
import { subjectsOf } from '../../../support/thread-lists.ts';
import { withdrawMail } from '../../../support/withdrawn.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Words are listed for a mailbox, whoever reads it (docs/decisions/0087). */

describe('the lists of a mailbox', () => {
  let workspace: Workspace;
  let sales: string;
  let support: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
  });
  afterAll(() => workspace?.stop());

  /** A conversation of two messages: the first in one mailbox, the answer in both. */
  beforeEach(async () => {
    const { ada } = workspace;
    sales = await givenMailbox(workspace, ada);
    support = await givenMailbox(workspace, ada);
  });

  const userOf = async ({ user }: TestUser) =>
    (await workspace.table.get<User>(keys.user(user.account_id, user.id))) as User;

  const searched = async ({ reader }: TestUser, query: string) =>
    (await reader.searchRecords({ query: { query } })).body.search.results
      .filter(({ type }) => type === 'thread')
      .map(({ label }) => label);

  /** With the rest of the query the words of other tests are out of the way. */
  async function expectFound(
    user: TestUser,
    subject: string,
    found: string[],
    hidden: string[],
    in_texts: string[] = [],
  ): Promise<void> {
    const [name = ''] = subject.replace('Re: ', '').split(' ');
    const ask = async (word: string) => {
      const query = `${name} ${word}`;
      const listed = await user.reader.listThreads({ query: { query } });
      const titled = await user.reader.listThreads({ query: { subject: query } });
      return [
        word,
        await searched(user, query),
        ...[listed, titled].map(({ body }) => body.collection.records.length),
      ];
    };
    for (const word of found) {
      const in_subject = subject.includes(word) ? 1 : 0;
      // Only the search looks at the names of people.
      const in_lists = in_subject || word === 'barometer' ? 1 : 0;
      expect(await ask(word)).toEqual([word, [subject], in_lists, in_subject]);
    }
    for (const word of hidden) expect(await ask(word)).toEqual([word, [], 0, 0]);
    for (const word of in_texts) expect(await ask(word)).toEqual([word, [subject], 0, 0]);
  }

  const first = (name: string) =>
    eml({
      id: `${name}-1@x`,
      from: '"Kim Quarry" <kim@quarry.example>',
      to: 'ada@acme.example, "Lee Fathom" <lee@fathom.example>',
      subject: `${name} walnut`,
      text: 'The sextant is with us.',
      date: 'Mon, 02 Nov 2026 09:00:00 +0000',
    });
  const answer = (name: string) =>
    eml({
      id: `${name}-2@x`,
      in_reply_to: `${name}-1@x`,
      from: '"Lee Fathom" <lee@fathom.example>',
      subject: `Re: ${name} chestnut`,
      text: 'The barometer follows.',
      date: 'Tue, 03 Nov 2026 09:00:00 +0000',
    });

  async function givenParts(name: string): Promise<void> {
    const { ada } = workspace;
    await importMail(workspace, ada, sales, [first(name), answer(name)]);
    await importMail(workspace, ada, support, [answer(name)]);
  }

  longIt('say nothing of messages that a reader of one mailbox does not see', async () => {
    const { ada, grace, table, account_id } = workspace;
    await givenParts('alder');
    await shareMailbox(ada, support, grace);
    const subject = 'Re: alder chestnut';
    await expectFound(
      grace,
      subject,
      ['alder', 'chestnut', 'barometer', 'fathom'],
      ['walnut', 'sextant', 'quarry'],
    );
    expect(await subjectsOf(grace.reader, { participant: 'kim@quarry.example' })).toEqual([]);
    expect(await subjectsOf(grace.reader, { participant: 'lee@fathom.example' })).toEqual([subject]);
    await expectMailboxLists(table, account_id);
  });

  longIt('have other words than a reader of both of its mailboxes, who finds what both say', async () => {
    const { ada, linus } = workspace;
    await givenParts('rowan');
    for (const mailbox of [sales, support]) await shareMailbox(ada, mailbox, linus);
    const subject = 'rowan walnut';
    const in_texts = ['chestnut', 'sextant'];
    await expectFound(linus, subject, ['rowan', 'walnut', 'barometer', 'quarry'], [], in_texts);
    expect(await subjectsOf(linus.reader, { participant: 'kim@quarry.example', subject: 'rowan' })).toEqual([
      subject,
    ]);
  });

  longIt(
    'find nothing for a reader whose access ended, before and after the lists of the reader follow',
    async () => {
      const { ada, grace } = workspace;
      await givenParts('beech');
      await shareMailbox(ada, sales, grace);
      expect(await searched(grace, 'beech walnut')).toHaveLength(1);
      // The lists of the user follow later: here they do not.
      const { mailboxes, indexed_mailboxes, ...rest } = await userOf(grace);
      const { [sales]: _, ...left } = mailboxes;
      await workspace.table.put({ ...rest, mailboxes: left, indexed_mailboxes });
      expect(await searched(grace, 'beech walnut')).toEqual([]);
      expect(await subjectsOf(grace.reader, { query: 'beech' })).toEqual([]);
      await workspace.table.put({ ...rest, mailboxes, indexed_mailboxes });
      await stopSharingMailbox(ada, sales);
      expect(await searched(grace, 'beech walnut')).toEqual([]);
      expect(await subjectsOf(grace.reader, { query: 'beech' })).toEqual([]);
    },
  );

  longIt('follow messages that leave, come back and change the conversation', async () => {
    const { ada, table } = workspace;
    await givenParts('cedar');
    await withdrawMail(workspace, sales, 'cedar-2@x');
    expect(await subjectsOf(ada.reader, { query: 'cedar sextant' })).toEqual([]);
    await withdrawMail(workspace, support, 'cedar-2@x');
    expect(await subjectsOf(ada.reader, { query: 'cedar sextant' })).toEqual(['cedar walnut']);
    await expectMailboxLists(table, workspace.account_id);
    await importMail(workspace, ada, sales, [answer('cedar')]);
    expect(await subjectsOf(ada.reader, { query: 'cedar sextant' })).toEqual([]);
    expect(await subjectsOf(ada.reader, { query: 'cedar barometer' })).toEqual(['cedar walnut']);
    expect(await expectMailboxLists(table, workspace.account_id)).toBeGreaterThan(0);
  });

  longIt('lose a thread that leaves the mailbox, and one that becomes part of another', async () => {
    const { ada, table } = workspace;
    await importMail(workspace, ada, sales, [first('larch')]);
    await importMail(workspace, ada, sales, [
      eml({ id: 'larch-3@x', in_reply_to: 'larch-2@x', subject: 'Re: larch chestnut', text: 'Three.' }),
    ]);
    expect(await subjectsOf(ada.reader, { query: 'larch' })).toHaveLength(2);
    await importMail(workspace, ada, sales, [answer('larch')]);
    expect(await subjectsOf(ada.reader, { query: 'larch' })).toHaveLength(1);
    await expectMailboxLists(table, workspace.account_id);
    await withdrawMail(workspace, sales, 'larch-1@x', 'larch-2@x', 'larch-3@x');
    const places = await table.all<Item>(keys.posting(sales, listNames.subject('lar'), '').PK);
    expect(places).toEqual([]);
    await expectMailboxLists(table, workspace.account_id);
  });

  it('are not written again for what happens to the thread in other mailboxes', async () => {
    const { ada, table, account_id } = workspace;
    await importMail(workspace, ada, sales, [first('olive')]);
    const [thread] = await listAllThreads(ada.reader, { query: 'olive' });
    const members = await membersOf(table, account_id);
    await table.update<Thread>(keys.record('threads', thread?.id as string), { add: { version: 1 } });
    const { calls } = await measureTable(table, () => refreshThread(table, thread?.id as string, members));
    // The entry and the view, which remember the version, and the user's lists of three participants.
    expect(calls.reduce((sum, { writes }) => sum + writes, 0)).toBe(2 + 3);
    await expectMailboxLists(table, account_id);
  });

  longIt('are the same however often and by how many workers a thread is listed at once', async () => {
    const { ada, table, account_id } = workspace;
    await givenParts('maple');
    const [thread] = await listAllThreads(ada.reader, { query: 'maple' });
    const members = await membersOf(table, account_id);
    await Promise.all(Array.from({ length: 8 }, () => refreshThread(table, thread?.id as string, members)));
    await expectMailboxLists(table, account_id);
  });
});
