import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenEntry, givenMailbox } from '../../support/mail.ts';
import type { ThreadQuery } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('cursors of GET /threads', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox: string;

  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
    mailbox = await givenMailbox(workspace, ada);
    await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        givenEntry(workspace.table, ada.user, { number, mailbox_ids: [mailbox], subject: `Row ${number}` }),
      ),
    );
  });
  afterAll(() => workspace?.stop());

  const list = (query: ThreadQuery, user = ada) => user.reader.listThreads({ query });
  const cursorOf = async (query: ThreadQuery = {}) =>
    (await list(query)).body.collection.page_info.next_cursor as string;

  it('lead to the next page, with the same filters in any order', async () => {
    const next_cursor = await cursorOf({ unresolved: true, mailbox_id: mailbox });
    const { collection } = (await list({ next_cursor, mailbox_id: mailbox, unresolved: true })).body;
    expect(collection.records).toHaveLength(10);
    expect(collection.page_info).toEqual({
      limit: 50,
      next_cursor: null,
      prev_cursor: null,
      has_more_after: false,
      has_more_before: false,
    });
  });

  it('can be reused', async () => {
    const next_cursor = await cursorOf();
    const pages = await Promise.all([list({ next_cursor }), list({ next_cursor })]);
    expect(pages[0].body).toEqual(pages[1].body);
  });

  it.each<[string, ThreadQuery, ThreadQuery]>([
    ['another slice', {}, { slice: 'inbox' }],
    ['no slice', { slice: 'inbox' }, {}],
    ['another slice than the inbox', { slice: 'inbox' }, { slice: 'unresolved' }],
    ['the filter of the same name as the slice', { slice: 'unresolved' }, { unresolved: true }],
    ['one more filter', {}, { unresolved: true }],
    ['one filter less', { unresolved: true }, {}],
    ['another value', { query: 'row' }, { query: 'ro' }],
    ['false instead of nothing', {}, { flagged: false }],
    ['another operator', {}, { tag_operator: 'any' }],
  ])('400 invalid_cursor with %s', async (_, first, second) => {
    const next_cursor = await cursorOf(first);
    expect(next_cursor).toEqual(expect.any(String));
    expect(await codeOf(list({ ...second, next_cursor }))).toBe('400 invalid_cursor');
  });

  it('400 invalid_cursor for another user', async () => {
    const next_cursor = await cursorOf();
    expect(await codeOf(list({ next_cursor }, workspace.grace))).toBe('400 invalid_cursor');
  });

  longIt('400 invalid_cursor for the cursor of another list', async () => {
    for (let i = 0; i < 51; i++) await ada.api.createContact({ body: { contact: { name: `Contact ${i}` } } });
    const { page_info } = (await ada.reader.listContacts()).body.collection;
    expect(await codeOf(list({ next_cursor: page_info.next_cursor as string }))).toBe('400 invalid_cursor');
    expect(await codeOf(ada.reader.listContacts({ query: { next_cursor: await cursorOf() } }))).toBe(
      '400 invalid_cursor',
    );
  });

  longIt('400 invalid_cursor when any one character is changed, left out or added', async () => {
    const cursor = await cursorOf();
    const swap = (character: string) => (character === 'A' ? 'B' : 'A');
    const changed = [...cursor].map(
      (character, i) => cursor.slice(0, i) + swap(character) + cursor.slice(i + 1),
    );
    const bad = [...changed, cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, ` ${cursor}`, `${cursor}=`];
    for (const next_cursor of bad)
      expect(await codeOf(list({ next_cursor })), next_cursor).toBe('400 invalid_cursor');
  });

  longIt.each(['x', 'null', '0', '\0', 'ÄÖÜ', '🛥', '{"a":1}', 'A'.repeat(8_000)])(
    '400 invalid_cursor for %j',
    async (next_cursor) => {
      expect(await codeOf(list({ next_cursor }))).toBe('400 invalid_cursor');
    },
  );

  it('400 for an empty cursor', async () => {
    expect(await problemsOf(list({ next_cursor: '' }))).toEqual({ next_cursor: 'invalid' });
  });

  it('400 unsupported_cursor_direction for any prev_cursor, also beside next_cursor', async () => {
    const next_cursor = await cursorOf();
    for (const query of [
      { prev_cursor: next_cursor },
      { prev_cursor: '' },
      { prev_cursor: 'x', next_cursor },
      { prev_cursor: 'x', unread: 'x' },
    ] as unknown as ThreadQuery[])
      expect(await codeOf(list(query))).toBe('400 unsupported_cursor_direction');
  });

  it('stay valid while threads arrive and change', async () => {
    const next_cursor = await cursorOf();
    const before = (await list({ next_cursor })).body.collection.records;
    await givenEntry(workspace.table, ada.user, { number: 100, mailbox_ids: [mailbox], subject: 'New' });
    await ada.api.flagThread({ params: { thread_id: before[0]?.id as string } });
    const after = (await list({ next_cursor })).body.collection.records;
    expect(after.map((thread) => thread.id)).toEqual(before.map((thread) => thread.id));
    expect(after[0]?.flagged).toBe(true);
  });
});
