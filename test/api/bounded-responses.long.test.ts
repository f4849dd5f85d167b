import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenConversation } from '../support/conversations.ts';
import { givenReplies, givenReplyComments, givenThreads } from '../support/large-data.ts';
import { givenMailboxes, givenRejected } from '../support/large-lists.ts';
import { readLarge } from '../support/large-response.ts';
import { givenThread } from '../support/threads.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Responses that would exceed the limit of a stream if their parts were not bounded. */

const SHARED = 80;
const long = { timeout: 300_000 };

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace?.stop());

/** The proposals that a reply shows are not stored in its item: here ten in each reply. */
describe('replies that propose', () => {
  let blocks: { type: 'proposal'; proposal_id: string }[][];
  beforeAll(async () => {
    const ids = await givenRejected(workspace, workspace.ada, 1_000);
    const found = ids.map((proposal_id) => ({ type: 'proposal' as const, proposal_id }));
    blocks = Array.from({ length: 100 }, (_, i) => found.slice(10 * i, 10 * i + 10));
  });

  test(
    'listMessages: returns the newest that fit in a page, and the others on the next pages',
    long,
    async () => {
      const id = await givenConversation(workspace.ada);
      await givenReplies(workspace, workspace.ada, id, blocks);
      const seen: string[] = [];
      let [pages, before] = [0, ''];
      for (let more = true; more; pages++) {
        const path = `/conversations/${id}/messages?limit=100${before && `&before=${before}`}`;
        const page = (await readLarge(workspace, path)) as unknown as {
          messages: { id: string }[];
          has_more_before: boolean;
        };
        expect(page.messages.length).toBeGreaterThan(0);
        seen.unshift(...page.messages.map((message) => message.id));
        before = page.messages[0]?.id ?? '';
        more = page.has_more_before;
      }
      expect(new Set(seen).size).toBe(100);
      expect(seen).toEqual([...seen].sort());
      expect(pages).toBeGreaterThan(1);
    },
  );

  test('listComments: returns the newest that fit in the response', long, async () => {
    const { id } = await givenThread(workspace, { users: [workspace.ada] });
    const ids = await givenReplyComments(workspace, workspace.ada, { type: 'threads', id }, [
      ...blocks,
      ...blocks,
    ]);
    const { comments } = (await readLarge(workspace, `/threads/${id}/comments`)) as unknown as {
      comments: { id: string }[];
    };
    expect(comments.map((comment) => comment.id)).toEqual(ids.slice(-comments.length));
    expect(comments.length).toBeGreaterThan(20);
  });
});

test(
  'listThreads: returns as many shares of many mailboxes as fit in a list, its own first',
  long,
  async () => {
    const { linus } = workspace;
    const of = { count: SHARED, shared: SHARED };
    const [mailbox = '', ...through] = await givenMailboxes(workspace, linus, of);
    await givenThreads(workspace, linus, mailbox, {
      count: 50,
      subject: 'Berths',
      participants: 1,
      through,
      shares: true,
    });
    const { records } = (await readLarge(workspace, `/threads?mailbox_id=${mailbox}`, { reader: linus }))
      .collection;
    expect(records.length).toBe(50);
    for (const { shares } of records as { shares: { source: string }[] }[]) {
      expect(shares).toHaveLength(500);
      expect(shares.filter(({ source }) => source === 'direct')).toEqual(shares.slice(0, 100));
    }
  },
);
