import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEntry, writeView } from '#shared/domain/mail/threads/lists/write-entry.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { givenMailbox, listAllThreads } from '../../../support/mail.ts';
import { putAtOnce } from '../../../support/seeding.ts';
import { entryOf, viewOf } from '../../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** More threads than a count looks at one by one. */
const MANY = 1_010;
const FEW = 5;

/** Threads in two mailboxes, one of which has other words of them, at the same rank. */
describe('counting words of which a mailbox has others', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    const { linus, table } = workspace;
    const both = [await givenMailbox(workspace, linus), await givenMailbox(workspace, linus)].sort();
    await putAtOnce(table, async (gathering) => {
      for (let i = 0; i < MANY + FEW; i++) {
        const id = newId(new Date());
        const mailboxes = i < MANY ? both : both.slice(0, 1);
        const thread: Thread = {
          ...{ ...keys.record('threads', id), id, account_id: linus.user.account_id, version: 1, shares: {} },
          mailbox_ids: new Set(mailboxes),
        };
        const entry = entryOf(linus, thread, i < MANY ? 'Walnut' : 'Chestnut', Date.now() - i * 1_000);
        await gathering.put(thread);
        await writeEntry(gathering, undefined, entry, []);
        await writeView(gathering, undefined, { ...viewOf(entry), subject: 'Chestnut' });
      }
    });
  }, 240_000);
  afterAll(() => workspace?.stop());

  const count = async (query: Record<string, string>) =>
    (await workspace.linus.reader.countThreads({ query })).body.count;

  it('counts the reader’s own', async () => {
    const exact = { exact: true, capped: false, cap: null };
    expect(await count({ subject: 'walnut' })).toEqual({ total: MANY, ...exact });
    expect(await count({ subject: 'chestnut' })).toEqual({ total: FEW, ...exact });
    expect(await count({ query: 'chestnut', cap: '1001' })).toEqual({ ...exact, total: FEW, cap: 1_001 });
    expect(await listAllThreads(workspace.linus.reader, { subject: 'chestnut' })).toHaveLength(FEW);
  });

  it('finds them on the pages where they are, however far', async () => {
    const { reader } = workspace.linus;
    const page = async (query: string, number: number) =>
      (await reader.searchRecords({ query: { query, page: number, limit: 50 } })).body.search;
    const own = await page('chestnut', 1);
    expect([own.results.length, own.total]).toEqual([FEW, FEW]);
    const last = await page('walnut', 21);
    expect([last.results.length, last.has_more]).toEqual([MANY - 1_000, false]);
    expect((await page('chestnut', 6)).results).toEqual([]);
  });
});
