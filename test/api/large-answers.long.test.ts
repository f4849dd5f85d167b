import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { keys } from '../../shared/table/keys.ts';
import { givenComment } from '../support/comments.ts';
import { givenConversation } from '../support/conversations.ts';
import {
  givenGroups,
  givenLongComments,
  givenReactionsOfMany,
  givenReplies,
  givenReplyComments,
  givenTags,
  givenThreads,
  givenUsers,
  WIDE,
} from '../support/large-data.ts';
import {
  givenApiKeys,
  givenMailboxes,
  givenRejected,
  REASON,
  sharesWithMany,
} from '../support/large-lists.ts';
import { givenMessages, htmlBody } from '../support/large-threads.ts';
import { asJson, bearer, raw } from '../support/raw.ts';
import { type GivenThread, givenThread } from '../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** The largest that may be stored, read through the gateway: each answer is one that Lambda could not give at once. */

const AT_ONCE = 6_291_556;
const STREAM = 200 * 1024 * 1024;

let workspace: Workspace;
let thread: GivenThread;
let tag_ids: string[];
/** Of Linus. */
let mailbox_ids: string[];
const SHARED = 200;
beforeAll(async () => {
  workspace = await startWorkspace();
  thread = await givenThread(workspace, { users: [workspace.ada] });
  tag_ids = await givenTags(workspace, 1_000);
  mailbox_ids = await givenMailboxes(workspace, workspace.linus, { count: 4_500, shared: SHARED });
}, 120_000);
afterAll(() => workspace?.stop());

type Json = Record<string, never> & {
  collection: { records: Record<string, unknown>[] };
};

interface Asked {
  method?: string;
  body?: string;
  reader?: TestUser;
  key?: string;
}

/** The answer whole, which must be larger than one that is given at once and far below the limit of a stream. */
async function read(
  path: string,
  { reader = workspace.ada, key = reader.write_key, ...options }: Asked = {},
): Promise<Json> {
  const headers = [bearer(key), ...(options.body ? [asJson] : [])];
  const { status, text, json } = await raw(workspace.url, { ...options, path, headers });
  expect(status, text.slice(0, 500)).toBe(200);
  const bytes = Buffer.byteLength(text);
  expect(bytes).toBeGreaterThan(AT_ONCE);
  expect(bytes).toBeLessThan(STREAM / 2);
  return json as unknown as Json;
}

/** Every operation that streams has a case under its name. */
const cases: Record<string, () => Promise<void>> = {
  async listTags() {
    expect((await read('/tags')).collection.records).toHaveLength(1_000);
  },

  async listThreads() {
    const mailbox = (await givenThread(workspace, { users: [workspace.ada] })).mailbox_id;
    const of = {
      count: 60,
      subject: WIDE.repeat(1_000),
      participants: 1_300,
      tag_ids: tag_ids.slice(0, 100),
    };
    await givenThreads(workspace, workspace.ada, mailbox, of);
    const { records } = (await read(`/threads?mailbox_id=${mailbox}`)).collection;
    expect(records).toHaveLength(50);
    // The other is the thread that came with the mailbox.
    const large = records.filter(({ participant_count }) => participant_count === 1_300);
    expect(large.length).toBeGreaterThanOrEqual(49);
    for (const record of large) {
      expect(record.tags).toHaveLength(100);
      expect(Object.keys(record.participants as object)).toHaveLength(100);
      expect(Object.keys(record.participant_names as object)).toHaveLength(100);
    }
  },

  async listOpenThreads() {
    const { grace } = workspace;
    const { mailbox_id } = await givenThread(workspace, { users: [grace] });
    const of = { count: 2_500, subject: WIDE.repeat(200), participants: 101 };
    await givenThreads(workspace, grace, mailbox_id, of);
    const { inbox } = (await read('/threads/open', { reader: grace })) as unknown as {
      inbox: { unread: { participant_count: number; participant_names: object }[] };
    };
    expect(inbox.unread.length).toBeGreaterThanOrEqual(2_500);
    for (const entry of inbox.unread.filter(({ participant_count }) => participant_count === 101))
      expect([100, 1]).toContain(Object.keys(entry.participant_names).length);
  },

  async retrieveThread() {
    const body = htmlBody('語'.repeat(100_000));
    await givenMessages(workspace, thread, 700, () => ({ body }));
    await givenLongComments(workspace, workspace.ada, { type: 'threads', id: thread.id }, 40);
    const answer = (await read(`/threads/${thread.id}`)) as unknown as {
      thread: { messages: { body: { truncated: boolean } }[]; comments: unknown[] };
    };
    expect(answer.thread.messages).toHaveLength(700);
    expect(answer.thread.messages.at(-1)?.body.truncated).toBe(false);
    expect(answer.thread.messages[0]?.body.truncated).toBe(true);
    expect(answer.thread.comments.length).toBeGreaterThan(20);
  },

  async listComments() {
    const { comments } = (await read(`/threads/${thread.id}/comments`)) as unknown as { comments: object[] };
    expect(comments.length).toBeGreaterThan(20);
    expect(comments.at(-1)).toMatchObject({ json_content: expect.stringContaining(WIDE) });
  },

  async updateComment() {
    const of = await givenThread(workspace, { users: [workspace.ada] });
    const { id } = await givenComment(workspace.ada, of);
    await givenReactionsOfMany(workspace, of, id, 6_000);
    const body = JSON.stringify({ comment: { html_content: '<p>Changed</p>' } });
    const { comment } = (await read(`/comments/${id}`, { method: 'PATCH', body })) as unknown as {
      comment: { reactions: unknown[] };
    };
    expect(comment.reactions).toHaveLength(6_000);
  },

  async listContacts() {
    const link = { url: `https://acme.example/${'a'.repeat(700)}`, label: null };
    for (let i = 0; i < 50; i++) {
      const contact = { name: `Contact ${i}`, links: Array(100).fill(link) };
      const { id } = (await workspace.ada.api.createContact({ body: { contact } })).body.contact;
      await workspace.table.update(keys.record('contacts', id), {
        update: 'ADD tag_ids :tags',
        values: { ':tags': new Set(tag_ids.slice(0, 100)) },
      });
    }
    expect((await read('/contacts')).collection.records).toHaveLength(50);
  },

  async retrieveContact() {
    const { body } = await workspace.ada.api.createContact({ body: { contact: { name: 'Zoe' } } });
    await givenLongComments(workspace, workspace.ada, { type: 'contacts', id: body.contact.id }, 10);
    await read(`/contacts/${body.contact.id}`);
  },

  async listUsers() {
    await givenUsers(workspace, workspace.ada, 500);
    expect((await read('/users')).collection.records.length).toBeGreaterThan(500);
  },

  async listGroups() {
    const users = (await workspace.ada.reader.listUsers()).body.collection.records.map(({ id }) => id);
    await givenGroups(workspace, workspace.ada, users.slice(0, 90), 500);
    const { records } = (await read('/groups')).collection;
    expect(records).toHaveLength(500);
    expect(records[0]?.users).toHaveLength(90);
  },

  async listMessages() {
    const id = await givenConversation(workspace.ada);
    await givenReplies(workspace, workspace.ada, id, Array(100).fill([]));
    const answer = await read(`/conversations/${id}/messages?limit=100`);
    expect((answer as unknown as { messages: unknown[] }).messages).toHaveLength(100);
  },

  /** As many as a user's item has room for, of others. */
  async listMailboxes() {
    const { records } = (await read('/mailboxes', { reader: workspace.linus })).collection;
    expect(records).toHaveLength(mailbox_ids.length);
  },

  async listShares() {
    const { linus, table } = workspace;
    const { id } = await givenThread(workspace, { users: [linus] });
    const through = new Set(mailbox_ids.slice(0, SHARED));
    const shares = sharesWithMany({ type: 'threads', id });
    await table.update(keys.record('threads', id), {
      update: 'SET shares = :shares ADD mailbox_ids :through',
      values: { ':shares': shares, ':through': through },
    });
    const answer = await read(`/threads/${id}/shares`, { reader: linus });
    expect((answer as unknown as { shares: unknown[] }).shares).toHaveLength((1 + SHARED) * 100);
  },

  async listApiKeys() {
    await givenApiKeys(workspace, 60);
    const answer = await read('/api_keys', { key: workspace.ada.session_token });
    expect((answer as unknown as { api_keys: unknown[] }).api_keys.length).toBeGreaterThan(6_000);
  },

  async listProposals() {
    await givenRejected(workspace, workspace.grace, 100);
    const answer = await read('/proposals?status=rejected&per_page=100', { reader: workspace.grace });
    expect(answer.collection.records).toHaveLength(100);
    for (const record of answer.collection.records)
      expect(record).toMatchObject({ resolution_reason: REASON });
  },
};

/** What a reply shows of its proposals is not in its item: ten of them in each reply. */
describe('replies that propose', () => {
  let blocks: { type: 'proposal'; proposal_id: string }[][];
  beforeAll(async () => {
    const ids = await givenRejected(workspace, workspace.ada, 1_000);
    const found = ids.map((proposal_id) => ({ type: 'proposal' as const, proposal_id }));
    blocks = Array.from({ length: 100 }, (_, i) => found.slice(10 * i, 10 * i + 10));
  });

  test('listMessages: the newest that a page has room for, and the others on the next ones', async () => {
    const id = await givenConversation(workspace.ada);
    await givenReplies(workspace, workspace.ada, id, blocks);
    const seen: string[] = [];
    let [pages, before] = [0, ''];
    for (let more = true; more; pages++) {
      const path = `/conversations/${id}/messages?limit=100${before && `&before=${before}`}`;
      const page = (await read(path)) as unknown as { messages: { id: string }[]; has_more_before: boolean };
      expect(page.messages.length).toBeGreaterThan(0);
      seen.unshift(...page.messages.map((message) => message.id));
      before = page.messages[0]?.id ?? '';
      more = page.has_more_before;
    }
    expect(new Set(seen).size).toBe(100);
    expect(seen).toEqual([...seen].sort());
    expect(pages).toBeGreaterThan(1);
  });

  test('listComments: the newest that the answer has room for', async () => {
    const { id } = await givenThread(workspace, { users: [workspace.ada] });
    const ids = await givenReplyComments(workspace, workspace.ada, { type: 'threads', id }, [
      ...blocks,
      ...blocks,
    ]);
    const { comments } = (await read(`/threads/${id}/comments`)) as unknown as { comments: { id: string }[] };
    expect(comments.map((comment) => comment.id)).toEqual(ids.slice(-comments.length));
    expect(comments.length).toBeGreaterThan(20);
  });
});

test.each(Object.entries(cases))('%s', { timeout: 300_000 }, async (_, run) => {
  await run();
});

test('compressed for who accepts it', async () => {
  const headers = [bearer(workspace.ada.read_key), ['Accept-Encoding', 'gzip'] as [string, string]];
  const answer = await fetch(`${workspace.url}/tags`, { headers: Object.fromEntries(headers) });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(((await answer.json()) as Json).collection.records).toHaveLength(1_000);
});

test('every operation that streams has a case', () => {
  const streaming = operations.flatMap(({ name, definition }) => (definition.streams ? name : []));
  expect(streaming.filter((name) => !Object.hasOwn(cases, name))).toEqual([]);
  expect(Object.keys(cases).filter((name) => !streaming.includes(name))).toEqual([]);
});
