import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findThread,
  mayShow,
  openMailboxes,
  seesThread,
  type Viewer,
} from '#shared/domain/mail/threads/policy.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const viewer = (mailboxes: string[], group_ids: string[] = []): Viewer => ({
  id: 'me',
  mailboxes: Object.fromEntries(mailboxes.map((id) => [id, 'view' as const])),
  group_ids: new Set(group_ids),
});
const threadOf = (mailboxes: string[], shares: object[] = []) =>
  ({
    mailbox_ids: new Set(mailboxes),
    shares: Object.fromEntries(shares.map((share, i) => [i, { user_id: null, group_id: null, ...share }])),
  }) as unknown as Thread;

describe('the part of a thread that a user may read', () => {
  it.each([
    ['a mailbox of the user', viewer(['a']), [], ['a']],
    ['a share with the user', viewer([]), [{ user_id: 'me', mailbox_ids: ['b'] }], ['b']],
    ['a share with a group of the user', viewer([], ['g']), [{ group_id: 'g', mailbox_ids: ['b'] }], ['b']],
    ['not a share with another user', viewer([]), [{ user_id: 'you', mailbox_ids: ['b'] }], []],
    ['not a share with another group', viewer([], ['h']), [{ group_id: 'g', mailbox_ids: ['b'] }], []],
    [
      'not a share with any group, of a user in none',
      viewer([]),
      [{ group_id: 'g', mailbox_ids: ['b'] }],
      [],
    ],
    [
      'all of that together',
      viewer(['a'], ['g']),
      [
        { user_id: 'me', mailbox_ids: ['b'] },
        { group_id: 'g', mailbox_ids: ['c', 'b'] },
      ],
      ['a', 'b', 'c'],
    ],
  ])('%s', (_, user, shares, open) => {
    const thread = threadOf(['b', 'z'], shares);
    expect([...openMailboxes(user, thread)].sort()).toEqual(open);
    expect(seesThread(user, thread)).toBe(open.includes('b'));
  });

  it('a user without groups sees what is shared with the user', () => {
    const user: Viewer = { id: 'me', mailboxes: {} };
    expect(seesThread(user, threadOf(['b'], [{ user_id: 'me', mailbox_ids: ['b'] }]))).toBe(true);
    expect(seesThread(user, threadOf(['b'], [{ group_id: 'g', mailbox_ids: ['b'] }]))).toBe(false);
  });

  it('an entry may be shown when all of its mailboxes are open, not when one of them is', () => {
    const entry = { mailbox_ids: ['a', 'b'] } as unknown as ThreadEntry;
    const thread = threadOf(['a', 'b']);
    expect(mayShow(viewer(['a', 'b', 'c']), thread, entry)).toBe(true);
    expect(mayShow(viewer(['a']), thread, entry)).toBe(false);
    expect(mayShow(viewer([]), thread, entry)).toBe(false);
  });
});

describe('the id of a merged thread', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace?.stop());

  /** Threads of which each was merged into the next; their ids. */
  async function givenChain(length: number, lastAccount = workspace.account_id): Promise<string[]> {
    const ids = Array.from({ length }, () => newId(new Date()));
    for (const [i, id] of ids.entries()) {
      const into = ids[i + 1];
      const account_id = into ? workspace.account_id : lastAccount;
      const merged = into ? { merged_into: into } : {};
      await workspace.table.put({ ...keys.record('threads', id), id, account_id, ...merged });
    }
    return ids;
  }
  const find = async (id: string | undefined) =>
    (await findThread(workspace.table, workspace.account_id, id ?? ''))?.id;

  it.each([0, 1, 2, 3, 9])('leads to the thread over %i merges', async (merges) => {
    const ids = await givenChain(merges + 1);
    expect(await find(ids[0])).toBe(ids.at(-1));
  });

  it('leads nowhere in a circle, and not into another account', async () => {
    const [first, second] = await givenChain(2);
    await workspace.table.update<Thread>(keys.record('threads', second as string), {
      set: { merged_into: first },
    });
    expect(await find(first)).toBeUndefined();
    const [own, foreign] = await givenChain(2, workspace.hank.user.account_id);
    expect([await find(own), await find(foreign)]).toEqual([undefined, undefined]);
  });
});
