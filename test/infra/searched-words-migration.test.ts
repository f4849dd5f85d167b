import { afterAll, beforeAll, expect, it } from 'vitest';
import { postingWrites, readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { listNames, wordPostings } from '#shared/domain/mail/threads/lists/postings.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { listSearchedWords } from '../../infra/migrations/0007-list-searched-words.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { givenContact } from '../support/proposals.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true, own_table: true });
});
afterAll(() => workspace.stop());

const found = async () => {
  const { search } = (await workspace.ada.reader.searchRecords({ query: { query: 'quentin' } })).body;
  return search.results.map(({ type }) => type).sort();
};

/** Of threads, in the lists of their people. */
async function listedPeople(): Promise<Item[]> {
  const { table, ada } = workspace;
  const user = keys.threadEntry(ada.user.id, '');
  const entries = await table.all<ThreadEntry>(user.PK, user.SK);
  const named = entries.flatMap((entry) => {
    const [mailbox_id = ''] = entry.mailbox_ids;
    const people = keys.posting(mailbox_id, listNames.people(''), '').PK;
    return wordPostings(mailbox_id, entry).filter(({ PK }) => PK.startsWith(people));
  });
  return table.getMany<Item>(named.map(keyOf));
}

/** As older code wrote them. */
async function forget(contact_id: string) {
  const { table } = workspace;
  for (const entry of await readEntries(table, { type: 'contacts', id: contact_id })) {
    const { found: _, ...listed } = entry.listed;
    await table.transact(postingWrites(entry, entry.listed, listed));
    await table.put({ ...entry, listed } satisfies ListEntry);
  }
  await table.writeMany((await listedPeople()).map((item) => ({ delete: keyOf(item) })));
}

it('records from before are found, and threads are in lists of their people, however often it runs', async () => {
  const { ada, table } = workspace;
  const { id } = await givenContact(ada, { name: 'Quentin Crisp' });
  const from = '"Quentin Crisp" <q@kelp.example>';
  const mail = eml({ id: 'first@x', from, to: 'ada@acme.example', subject: 'Winter', text: 'At noon.' });
  await importMail(workspace, ada, await givenMailbox(workspace, ada), [mail]);
  expect(await found()).toEqual(['contact', 'thread']);
  const people = await listedPeople();
  expect(people.length).toBeGreaterThan(0);
  await forget(id);
  expect(await found()).toEqual(['thread']);
  expect(await listedPeople()).toEqual([]);
  for (let run = 0; run < 2; run++) {
    let cursor: unknown;
    do cursor = await listSearchedWords.step(table, cursor);
    while (cursor !== undefined);
    expect(await found()).toEqual(['contact', 'thread']);
    expect((await listedPeople()).length).toBe(people.length);
  }
});
