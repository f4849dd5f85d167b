import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import type { Thread, ThreadShare } from '#shared/domain/mail/threads/thread.ts';
import { idFrom } from '#shared/ids.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import { Dice } from '../../../support/dice.ts';
import { eml, givenEntry, givenMailbox } from '../../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000);
const ROUNDS = Number(process.env.RUNS ?? 1);

/** Threads of each kind, spread evenly over the lists. */
const KINDS = ['steady', 'steady', 'steady', 'borrowed', 'shared', 'busy'] as const;
const EACH = 45;
const BUSY = 12;

/** The query that finds all steady threads. */
const QUERIES = [
  {},
  { slice: 'inbox' },
  { slice: 'unread' },
  { unresolved: true, unread: true },
  { query: 'ferr' },
  { participant: 'priya@ferries.example', has_attachment: true },
  { category: 'forum', last_sent_after: '2026-01-01' },
  { first_sent_before: '2092-01-01', query: 'f' },
] as const;

describe('paging through a list while it is written', () => {
  let workspace: Workspace;
  let reader: TestUser;
  let mailboxes: { own: string; borrowed: string; foreign: string };
  const ids = { steady: new Set<string>(), borrowed: new Set<string>(), shared: new Set<string>() };
  const dice = new Dice(SEED);
  let requests = 0;

  const key = () => keys.user(workspace.account_id, reader.user.id);
  const started = Date.now();
  /** A moment for every request keeps the key below its limit. */
  const tick = () => workspace.setTime(new Date(started + 150 * requests++));

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada, linus } = workspace;
    reader = linus;
    mailboxes = {
      own: await givenMailbox(workspace, linus),
      borrowed: await givenMailbox(workspace, ada),
      foreign: await givenMailbox(workspace, ada),
    };
    for (let i = 0; i < EACH * KINDS.length; i += KINDS.length)
      await Promise.all(KINDS.map((kind, k) => given(kind, i + k)));
    for (let i = 0; i < BUSY; i++) await arrive(`busy-${i}@x`, undefined, i);
  }, 240_000);
  afterAll(async () => {
    console.log(`paging while writing: ${requests} requests, seed ${SEED}`);
    await workspace?.stop();
  });

  async function given(kind: (typeof KINDS)[number], number: number): Promise<void> {
    if (kind === 'busy') return;
    const mailbox = { steady: mailboxes.own, borrowed: mailboxes.borrowed, shared: mailboxes.foreign }[kind];
    await givenEntry(workspace.table, reader.user, {
      number,
      mailbox_ids: [mailbox],
      subject: 'Ferries',
      category: 'forum',
      has_attachments: true,
      participant_names: { 'priya@ferries.example': null },
      unread: 1,
      ...(kind === 'shared' ? { shared_with: ['direct'], through_share: true as const } : {}),
    });
    const id = idFrom('entry', reader.user.id, String(number));
    ids[kind].add(id);
    if (kind === 'shared') await share(id, mailbox);
  }

  function share(id: string, mailbox: string): Promise<unknown> {
    const stored: ThreadShare = {
      id: idFrom('share', id),
      user_id: reader.user.id,
      group_id: null,
      access: 'view',
      mailbox_ids: [mailbox],
      shared_by_user_id: workspace.ada.user.id,
      created_at: new Date().toISOString(),
    };
    return workspace.table.update<Thread>(keys.record('threads', id), {
      set: { shares: at(stored.id, stored) },
    });
  }

  /** Mail among the other threads; `number` says where. */
  async function arrive(id: string, parent: string | undefined, number: number): Promise<string> {
    const members = await membersOf(workspace.table, workspace.account_id);
    const date = new Date(Date.UTC(2026, 0, 1, 0, number * 20)).toUTCString().replace('GMT', '+0000');
    const draft = { id, date, subject: 'Ferries', text: 'Ferries go.', to: reader.user.email_address };
    const raw = eml({ ...draft, ...(parent ? { in_reply_to: parent } : {}) });
    const { thread_id } = await ingestMessage(
      {
        table: workspace.table,
        bucket: bucketOf(workspace.ctx),
        members,
        now: () => new Date(),
        ports: workspace.ctx.ports,
      },
      {
        account_id: workspace.account_id,
        mailbox: members.mailboxes.find((mailbox) => mailbox.id === mailboxes.own) as Mailbox,
        message: await parseMessage(raw),
        raw,
        source: id,
      },
    );
    await refreshThread(workspace.table, thread_id, members);
    return thread_id;
  }

  /** Mail, flags, resolutions and read marks, one after the other, until stopped. */
  async function write(stopped: () => boolean): Promise<void> {
    const { api } = reader;
    for (let n = 0; !stopped(); n++) {
      const i = dice.int(0, BUSY - 1);
      const thread_id = await arrive(`busy-${i}-${SEED}-${requests}-${n}@x`, `busy-${i}@x`, dice.int(0, 40));
      for (const change of dice.some([
        api.flagThread,
        api.unflagThread,
        api.resolveThread,
        api.reopenThread,
        api.markThreadRead,
        api.markThreadUnread,
      ])) {
        tick();
        await change({ params: { thread_id } });
      }
    }
  }

  type Page = { ids: string[]; asked: number };

  async function walk(
    query: (typeof QUERIES)[number],
    between: (page: number) => Promise<void>,
  ): Promise<Page[]> {
    const pages: Page[] = [];
    for (let next: string | null | undefined; next !== null; ) {
      tick();
      const asked = performance.now();
      const cursor = next ? { next_cursor: next } : {};
      const { collection } = (await reader.reader.listThreads({ query: { ...query, ...cursor } })).body;
      pages.push({ ids: collection.records.map(({ id }) => id), asked });
      next = collection.page_info.next_cursor;
      await between(pages.length);
    }
    return pages;
  }

  function expectSteady(pages: Page[]): void {
    const seen = pages.flatMap((page) => page.ids).filter((id) => ids.steady.has(id));
    expect(seen).toHaveLength(ids.steady.size);
    expect(new Set(seen)).toEqual(ids.steady);
  }

  /** None of these on any page that was requested after they were removed. */
  function expectGone(pages: Page[], hidden: Set<string>, since: number): void {
    for (const page of pages.filter(({ asked }) => asked > since))
      expect(page.ids.filter((id) => hidden.has(id))).toEqual([]);
  }

  async function whileWriting<T>(work: () => Promise<T>): Promise<T> {
    let done = false;
    const writing = write(() => done);
    try {
      return await work();
    } finally {
      done = true;
      await writing;
    }
  }

  it(
    'never skips or repeats a thread that does not change',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const walks = await whileWriting(() =>
          Promise.all(QUERIES.map((query) => walk(query, async () => {}))),
        );
        for (const pages of walks) {
          expect(pages.length).toBeGreaterThan(2);
          expectSteady(pages);
        }
      }
    },
    ROUNDS * 120_000,
  );

  it('shows nothing of a mailbox or a share after its removal, and skips no other thread', async () => {
    const { table } = workspace;
    let taken = Number.POSITIVE_INFINITY;
    const take = async () => {
      await table.update<User>(key(), { remove: [['mailboxes', mailboxes.borrowed]] });
      for (const id of ids.shared)
        await table.update<Thread>(keys.record('threads', id), { remove: [['shares', idFrom('share', id)]] });
      taken = performance.now();
    };
    /** Clears lists as the queue does. */
    const clear = async () => {
      const members = await membersOf(table, workspace.account_id);
      const only = members.users.filter(({ id }) => id === reader.user.id);
      for (const id of [...ids.borrowed, ...ids.shared]) await refreshThread(table, id, members, only);
    };
    await table.update<User>(key(), {
      set: { mailboxes: at(mailboxes.borrowed, 'view'), indexed_mailboxes: at(mailboxes.borrowed, true) },
    });
    const before = new Set((await walk({}, async () => {})).flatMap((page) => page.ids));
    for (const id of [...ids.borrowed, ...ids.shared]) expect(before.has(id)).toBe(true);
    let clearing: Promise<void> | undefined;
    const walks = await whileWriting(() =>
      Promise.all(
        QUERIES.map((query, i) =>
          walk(query, async (page) => {
            if (i === 0 && page === 2) await take();
            if (i === 0 && page === 3) clearing = clear();
          }),
        ),
      ),
    );
    await clearing;
    for (const query of QUERIES) walks.push(await walk(query, async () => {}));
    expect(walks.flat().some(({ asked }) => asked > taken)).toBe(true);
    for (const pages of walks) {
      expectSteady(pages);
      expectGone(pages, new Set([...ids.borrowed, ...ids.shared]), taken);
    }
  }, 240_000);
});
