import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listNames } from '#shared/domain/mail/threads/lists/postings.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { type Members, refreshThreads } from '#shared/domain/mail/threads/refresh.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { type Item, ItemTooLarge } from '#shared/table/table.ts';
import { meanwhile, refuse } from '../../../support/faults.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { measureTable } from '../../../support/meter.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const THREADS = 12;

describe('threads that are refreshed together', () => {
  let workspace: Workspace;
  let members: Members;
  let ids: string[];

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada, table, account_id } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    const mails = Array.from({ length: THREADS }, (_, i) => eml({ id: `t${i}@x`, subject: `Tide ${i}` }));
    await importMail(workspace, ada, mailbox, mails);
    members = await membersOf(table, account_id);
    ids = (await listAllThreads(ada.reader)).map(({ id }) => id);
  });
  afterAll(() => workspace?.stop());

  const entriesOf = (some: string[]) =>
    workspace.table.getMany<ThreadEntry>(some.map((id) => keys.threadEntry(workspace.ada.user.id, id)));
  const dropEntries = (some: string[]) =>
    workspace.table.writeMany(some.map((id) => ({ delete: keys.threadEntry(workspace.ada.user.id, id) })));

  longIt('are read in as many calls as one thread, except for their messages', async () => {
    const readsOf = async (some: string[]) => {
      const { calls, depth } = await measureTable(workspace.table, () =>
        refreshThreads(workspace.table, some, members),
      );
      return { reads: calls.filter(({ command }) => /Get/.test(command)).length, depth };
    };
    /** Parallel calls count as sequential when one completes early by chance: the least of a few runs. */
    const leastOf = async (some: string[]) => {
      const runs = [await readsOf(some), await readsOf(some), await readsOf(some)];
      return { reads: runs[0]?.reads, depth: Math.min(...runs.map(({ depth }) => depth)) };
    };
    const one = await leastOf(ids.slice(0, 1));
    expect(one.reads).toBe(3);
    expect(await leastOf(ids)).toEqual(one);
  });

  it('get the tags that were put on meanwhile, each its own', async () => {
    const { table, ada } = workspace;
    const some = ids.slice(0, 3);
    const tags = some.map(() => newId(new Date()));
    await dropEntries(some);
    const putOn = meanwhile(table, 'TransactWriteItemsCommand', () =>
      Promise.all(
        some.slice(0, 2).map((id, i) =>
          table.update<Thread>(keys.record('threads', id), {
            add: { tag_ids: new Set([tags[i] as string]) },
          }),
        ),
      ),
    );
    await refreshThreads(table, some, members);
    putOn.remove();
    expect(putOn.hit).toBe(true);
    const placesOf = async (tag: string) =>
      (await table.all<Item>(keys.posting(ada.user.id, listNames.tag(tag), '').PK)).map(({ SK }) => SK);
    const rankOf = new Map((await entriesOf(some)).map((entry) => [entry.thread_id, entry.rank]));
    expect(await Promise.all(tags.map(placesOf))).toEqual([
      [rankOf.get(some[0] as string)],
      [rankOf.get(some[1] as string)],
      [],
    ]);
  });

  it('are all refreshed but the one that fails', async () => {
    const { table } = workspace;
    const tooLarge = {
      type: 'ValidationException',
      message: 'Item size has exceeded the maximum allowed size',
    };
    const failing = async (work: () => Promise<unknown>) => {
      await dropEntries(ids);
      const refusal = refuse(table, 'TransactWriteItemsCommand', [tooLarge]);
      await work().finally(() => refusal.remove());
    };
    const failed: string[] = [];
    await failing(() =>
      refreshThreads(table, ids, members, {
        failed: (id, error) => {
          expect(error).toBeInstanceOf(ItemTooLarge);
          failed.push(id);
        },
      }),
    );
    expect(failed).toHaveLength(1);
    const made = (await entriesOf(ids)).map(({ thread_id }) => thread_id);
    expect([...made, ...failed].sort()).toEqual(ids.toSorted());
    await expect(failing(() => refreshThreads(table, ids, members))).rejects.toThrow(ItemTooLarge);
    await refreshThreads(table, ids, members);
    expect(await entriesOf(ids)).toHaveLength(THREADS);
  });
});
