import { afterAll, beforeAll, expect, it } from 'vitest';
import { listNames, statePostings, wordPostings } from '#shared/domain/mail/threads/lists/postings.ts';
import type { MailboxView, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { listWordsByMailbox } from '../../infra/migrations/0008-list-words-by-mailbox.ts';
import { shareMailbox } from '../support/events.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { expectMailboxLists } from '../support/mailbox-lists.ts';
import { scan } from '../support/scan.ts';
import { subjectsOf } from '../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true, own_table: true });
});
afterAll(() => workspace.stop());

const isView = (item: Item): item is MailboxView =>
  item.SK.startsWith(keys.mailboxView('', '').SK) && 'rank' in item;

/** As older code wrote them: each user has lists of all words, and mailboxes have none. */
async function writeAsBefore(users: TestUser[]): Promise<void> {
  const { table } = workspace;
  const views = (await scan(table)).filter(isView);
  const places = views.flatMap((view) => wordPostings(view.mailbox_id, view));
  await table.writeMany([...views, ...places].map((item) => ({ delete: keyOf(item) })));
  for (const { user } of users) {
    const { PK, SK } = keys.threadEntry(user.id, '');
    for (const entry of await table.all<ThreadEntry>(PK, SK)) {
      const states = statePostings(entry).map(({ of_several: _, ...posting }) => posting);
      await table.writeMany([...states, ...wordPostings(user.id, entry)].map((put) => ({ put })));
    }
  }
}

const placesOf = async (owner: string, word: string) =>
  (await workspace.table.all<Item>(keys.posting(owner, listNames.subject(word), '').PK)).length;

it('threads from before are found by words and people, wherever it was cut off', async () => {
  const { ada, grace, table, account_id } = workspace;
  const [first, second] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, ada)];
  const mail = (i: number) =>
    eml({ id: `m${i}@x`, from: `kim${i}@kelp.example`, subject: `Walnut ${i}`, text: 'At noon.' });
  await importMail(workspace, ada, first, [mail(1), mail(2), mail(3)]);
  await importMail(workspace, ada, second, [mail(3)]);
  await shareMailbox(ada, first, grace);
  const asked = [
    { query: 'walnut' },
    { query: 'noon' },
    { participant: 'kim3@kelp.example' },
    { subject: 'waln' },
  ];
  const found = async () => {
    const all = [];
    for (const query of asked)
      all.push((await subjectsOf(ada.reader, query)).sort(), (await subjectsOf(grace.reader, query)).sort());
    return all;
  };
  const before = await found();
  expect(before.map(({ length }) => length)).toEqual([3, 3, 3, 3, 1, 1, 3, 3]);
  const stored = await scan(table);

  await writeAsBefore([ada, grace]);
  expect(await placesOf(ada.user.id, 'wal')).toBe(3);
  for (let run = 0; run < 2; run++) {
    // A step whose end was not recorded runs again.
    let cursor: unknown;
    for (let step = 0; step === 0 || cursor !== undefined; step++) {
      await listWordsByMailbox.step(table, cursor);
      cursor = await listWordsByMailbox.step(table, cursor);
    }
    expect(await found()).toEqual(before);
    // Of the thread in two mailboxes: the user sees both, and a colleague one.
    expect([await placesOf(ada.user.id, 'wal'), await placesOf(grace.user.id, 'wal')]).toEqual([1, 0]);
    expect(await expectMailboxLists(table, account_id)).toBeGreaterThan(0);
    const lists = (items: Item[]) => items.filter(({ PK }) => PK.startsWith('LIST#')).map(keyOf);
    expect(lists(await scan(table))).toEqual(lists(stored));
  }
});
