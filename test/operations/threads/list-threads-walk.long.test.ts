import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '#shared/table/table.ts';
import { givenEntry, givenMailbox } from '../../support/mail.ts';
import { putAtOnce } from '../../support/seeding.ts';
import { subjectsOf, type ThreadQuery } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Filters that match many threads each and few together: whatever a page holds, the walk ends where the list ends. */

const ROWS = 1_200;
const rare = [1, 600, 1_199];

describe('walking all pages of GET /threads', () => {
  let workspace: Workspace;
  let ada: TestUser;

  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
    const mailbox = await givenMailbox(workspace, ada);
    const given = (table: Table, i: number) =>
      givenEntry(table, ada.user, {
        number: i,
        mailbox_ids: [mailbox],
        subject: `${i}`,
        snippet: rare.includes(i) ? 'z' : 'y',
        // Every second one is flagged and every other one unread; the rare ones are both.
        ...(i % 2 === 0 || rare.includes(i) ? { flagged: 1 as const } : {}),
        ...(i % 2 === 1 || rare.includes(i) ? { unread: 1 as const } : {}),
      });
    await putAtOnce(workspace.table, async (gathering) => {
      for (let i = 0; i < ROWS; i++) await given(gathering, i);
    });
  });
  afterAll(() => workspace?.stop());

  const newestFirst = rare.toSorted((a, b) => b - a).map(String);

  it.each<ThreadQuery>([
    { flagged: true, unread: true },
    { slice: 'flagged', unread: true },
    { slice: 'inbox', flagged: true, unread: true },
    { query: 'z' },
    { query: 'z', flagged: true },
    { slice: 'inbox', query: 'z' },
  ])('finds the few threads that long lists have in common: %j', async (query) => {
    expect(await subjectsOf(ada.reader, query)).toEqual(newestFirst);
  });

  it('returns a short page with a cursor when little is found, never as the end', async () => {
    const { collection } = (await ada.reader.listThreads({ query: { query: 'z' } })).body;
    expect(collection.records.length).toBeLessThan(rare.length);
    expect(collection.page_info).toMatchObject({ limit: 50, has_more_after: true });
    expect(collection.page_info.next_cursor).not.toBeNull();
  });

  it.each<[ThreadQuery, number]>([
    [{}, ROWS],
    [{ flagged: true }, 602],
    [{ slice: 'inbox' }, ROWS],
    [{ slice: 'inbox', unread: true }, 601],
    [{ query: 'y' }, ROWS - rare.length],
  ])('returns each thread once, in order: %j', async (query, total) => {
    const numbers = (await subjectsOf(ada.reader, query)).map(Number);
    expect(numbers).toHaveLength(total);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(new Set(numbers).size).toBe(total);
  });
});
