import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { hashedAddresses, type Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import { linkOf } from '#shared/domain/mail/threads/forest.ts';
import { groupsOf } from '#shared/domain/mail/threads/grouping.ts';
import { ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import { finishRegrouping } from '#shared/domain/mail/threads/regroup.ts';
import {
  type Message,
  mailboxesOf,
  type Thread,
  type ThreadEntry,
} from '#shared/domain/mail/threads/thread.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { reduced, STRIDE } from '../../../support/long.ts';
import { type Draft, eml, givenMailbox, listAllThreads } from '../../../support/mail.ts';
import { withdrawMail } from '../../../support/withdrawn.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Messages that follow one that arrives later, cut off anywhere, in any order and at once. */
describe('messages that an arriving one moves to another thread', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let ingestion: Ingestion;
  let boxes: [string, string];
  let run = 0;

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace?.stop());

  let starts = 0;
  let now = 0;
  const tick = () => workspace.setTime(new Date((now += 100)));
  const start = async () => {
    // Each run has a minute of its own, within the rate limits.
    now = Date.now() + ++starts * 60_000;
    tick();
    run++;
    boxes = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
    const { table, ctx } = workspace;
    const members = await membersOf(table, workspace.account_id);
    ingestion = { table, bucket: bucketOf(ctx), members, now: ctx.clock, ports: ctx.ports };
  };

  async function ingest(draft: Draft, box = 0): Promise<string> {
    const raw = eml({ to: 'board@elsewhere.example', ...draft });
    const mailbox = ingestion.members.mailboxes.find(({ id }) => id === boxes[box]);
    const message = await parseMessage(raw);
    const source = `${run} ${box} ${JSON.stringify(draft)}`;
    const arriving = {
      account_id: workspace.account_id,
      mailbox: mailbox as NonNullable<typeof mailbox>,
      message,
    };
    return (await ingestMessage(ingestion, { ...arriving, raw, source })).thread_id;
  }

  async function deliver(draft: Draft, box = 0): Promise<string> {
    const thread_id = await ingest(draft, box);
    await refreshThread(workspace.table, thread_id, ingestion.members);
    return thread_id;
  }

  const id = (name: string) => `${name}-${run}@x`;
  const at = (minute: number) => `Mon, 02 Nov 2026 10:0${minute}:00 +0000`;
  const on = (record_id: string) => ({ params: { record_type: 'threads' as const, record_id } });

  /** The content of every item of the threads of this run. */
  async function stateOf(thread_ids: string[]) {
    const { table } = workspace;
    const lists = await listAllThreads(ada.reader, { mailbox_id: boxes[0] });
    const threads = [];
    for (const thread of lists) {
      const { body } = await ada.reader.retrieveThread({ params: { id: thread.id } });
      const { subject, read, flagged, messages, comments, tags, message_count } = body.thread;
      threads.push({
        subject,
        read,
        flagged,
        message_count,
        texts: messages?.map((message) => message.body?.new_plain_text?.trim()),
        comments: comments?.map((comment) => comment.html_content),
        tags: tags?.map((tag) => tag.name).sort(),
      });
    }
    const left = [];
    for (const thread_id of thread_ids) {
      const thread = await table.get<Thread>(keys.record('threads', thread_id));
      if (thread?.merged_into) left.push(...(await table.all(thread.PK)).map(({ SK }) => SK), thread.merging);
    }
    return { threads, left };
  }

  it('move with comments, tags and marks, wherever the work is cut off', { timeout: 600_000 }, async () => {
    let expected: unknown;
    for (let call = 1, cut = true; cut; call += STRIDE) {
      await start();
      const one = await deliver({ id: id('1'), subject: 'Winch', text: 'One.', date: at(1) });
      const three = await deliver({
        id: id('3'),
        subject: 'Re: Winch',
        in_reply_to: id('2'),
        text: 'Three.',
        date: at(3),
      });
      const four = await deliver({
        id: id('4'),
        subject: 'Re: Winch',
        in_reply_to: id('3'),
        text: 'Four.',
        date: at(4),
      });
      expect(four).toBe(three);
      for (const thread of [one, three]) {
        tick();
        await ada.api.createComment({
          ...on(thread),
          body: { comment: { html_content: thread === one ? 'A' : 'B' } },
        });
        await ada.api.applyTag({ ...on(thread), body: { tag: { name: 'Both' } } });
        await ada.api.markThreadRead({ params: { thread_id: thread } });
      }
      await ada.api.flagThread({ params: { thread_id: three } });
      const two: Draft = {
        id: id('2'),
        subject: 'Re: Winch',
        in_reply_to: id('1'),
        text: 'Two.',
        date: at(2),
      };
      const crash = crashAfter(workspace.table, call);
      await deliver(two).catch(() => undefined);
      crash.remove();
      cut = crash.hit;
      // The import runs again, and the rest of the move is a job.
      await deliver(two);
      for (const job of await openJobs(workspace.table, 'index-threads'))
        await finishRegrouping(workspace.ctx, job);
      const state = await stateOf([one, three]);
      expected ??= {
        threads: [
          {
            subject: 'Winch',
            read: false,
            flagged: true,
            message_count: 4,
            texts: ['One.', 'Two.', 'Three.', 'Four.'],
            comments: ['A', 'B'],
            tags: ['Both'],
          },
        ],
        left: ['META', undefined],
      };
      expect({ call, ...state }).toEqual({ call, ...(expected as object) });
    }
  });

  it('are in the lists of both threads when these stay, wherever the work is cut off', {
    timeout: 600_000,
  }, async () => {
    const to = (n: string, from: string, other: string, subject: string): Draft => ({
      ...{ id: id(n), from: `${from}@x.example`, to: `${other}@x.example`, subject, text: `${n}.` },
      references: n === '0' ? [] : [id('0')],
    });
    for (let call = 1, cut = true; cut; call += STRIDE) {
      await start();
      const fleet = await deliver(to('f', 'q', 'r', 'Fleet'));
      const harbour = to('h', 's', 't', 'Harbour');
      expect(await deliver(harbour)).toBe(fleet);
      expect(await deliver(harbour, 1)).toBe(fleet);
      const beginning = to('0', 'p', 'q', 'Fleet');
      const crash = crashAfter(workspace.table, call);
      await deliver(beginning).catch(() => undefined);
      crash.remove();
      cut = crash.hit;
      await deliver(beginning);
      for (const job of await openJobs(workspace.table, 'index-threads'))
        await finishRegrouping(workspace.ctx, job);
      const shown = async (user: TestUser, mailbox_id: string) =>
        (await listAllThreads(user.reader, { mailbox_id }))
          .map(({ subject, message_count }) => `${subject} ${message_count}`)
          .sort();
      expect([call, await shown(ada, boxes[0]), await shown(grace, boxes[1])]).toEqual([
        call,
        ['Fleet 2', 'Harbour 1'],
        ['Harbour 1'],
      ]);
      const left = await workspace.table.get<Thread>(keys.record('threads', fleet));
      expect([call, left?.mailbox_ids]).toEqual([call, new Set([boxes[0]])]);
    }
  });

  it('leave a comment that is written during the announced merge where users find it', async () => {
    await start();
    const one = await deliver({ id: id('1'), subject: 'Winch' });
    const three = await deliver({ id: id('3'), subject: 'Re: Winch', in_reply_to: id('2') });
    const writing = Array.from({ length: 12 }, (_, i) =>
      ada.api.createComment({ ...on(three), body: { comment: { html_content: `${i}` } } }),
    );
    const tagging = ada.api.applyTag({ ...on(three), body: { tag: { name: `Late ${run}` } } });
    await deliver({ id: id('2'), subject: 'Re: Winch', in_reply_to: id('1') });
    const written = await Promise.all(writing);
    await tagging;
    const { body } = await ada.reader.listComments(on(one));
    expect(body.comments.map((comment) => comment.id).sort()).toEqual(
      written.map((response) => response.body.comment.id).sort(),
    );
    const { thread } = (await ada.reader.retrieveThread({ params: { id: one } })).body;
    expect(thread.tags?.map((tag) => tag.name)).toEqual([`Late ${run}`]);
  });

  /** A mail whose every header is a claim: few ids, many forgeries. */
  const claim = fc.record({
    id: fc.nat({ max: 4 }),
    names: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 3 }),
    reply: fc.option(fc.nat({ max: 6 }), { freq: 2 }),
    subject: fc.constantFrom('plan', 'Re: plan', 'fleet', '[list] plan'),
    from: fc.nat({ max: 3 }),
    to: fc.constantFrom('p0@x.example', 'p1@x.example', 'grace@acme.example', 'ada@acme.example'),
    text: fc.constantFrom('One.', 'Two.'),
    minute: fc.nat({ max: 3 }),
    boxes: fc.constantFrom([0], [1], [0, 1]),
  });
  type Claim = typeof claim extends fc.Arbitrary<infer T> ? T : never;

  const draftOf = (mail: Claim): Draft => ({
    id: id(`m${mail.id}`),
    from: `p${mail.from}@x.example`,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    date: `Mon, 02 Nov 2026 10:0${mail.minute}:00 +0000`,
    references: mail.names.map((name) => id(`m${name}`)),
    ...(mail.reply === null ? {} : { in_reply_to: id(`m${mail.reply}`) }),
  });

  /** The current threads, by the ids of their messages. */
  async function found(threads: Set<string>): Promise<Message[][]> {
    const lists = await Promise.all([...threads].map((thread) => messagesOf(workspace.table, thread)));
    return lists.filter((messages) => messages.length > 0);
  }

  const asNames = (groups: { id: string }[][]) =>
    groups.map((group) => group.map((each) => each.id).sort()).sort();

  /** Some leave a mailbox between or beside the deliveries, and some of those come back. */
  interface Leaving {
    /** After the delivery with this number. */
    after: number;
    mail: number;
    box: number;
  }

  async function leave(mails: Claim[], { mail, box }: Leaving): Promise<void> {
    const draft = draftOf(mails[mail % mails.length] as Claim);
    await withdrawMail(workspace, boxes[box] as string, draft.id as string);
  }

  /** Every thread has the mailboxes of its messages, and every entry shows what its user reads. */
  async function checkViews(stored: Message[][]): Promise<void> {
    const { table } = workspace;
    for (const messages of stored) {
      const thread = await table.get<Thread>(keys.record('threads', messages[0]?.thread_id as string));
      const held = new Set(messages.flatMap((message) => [...mailboxesOf(message)]));
      expect(thread?.mailbox_ids ?? new Set()).toEqual(held);
      for (const [i, { user }] of [ada, grace].entries()) {
        const seen = messages.filter((message) => mailboxesOf(message).has(boxes[i] as string));
        const entry = await table.get<ThreadEntry>(keys.threadEntry(user.id, thread?.id as string));
        expect(entry?.message_count ?? 0).toBe(seen.length);
      }
    }
  }

  async function check(
    mails: Claim[],
    order: number[],
    atOnce: boolean,
    leaving: Leaving[] = [],
  ): Promise<void> {
    await start();
    const deliveries = mails.flatMap((mail) => mail.boxes.map((box) => [draftOf(mail), box] as const));
    const threads = new Set<string>();
    const sent = order.map((i) => deliveries[i % deliveries.length] as (typeof deliveries)[number]);
    const all = [...sent, ...deliveries.filter((each) => !sent.includes(each))];
    const put = leaving.length > 0 ? deliver : ingest;
    if (atOnce) {
      const leaves = leaving.map((each) => leave(mails, each));
      for (const thread of await Promise.all(all.map(([draft, box]) => put(draft, box)))) threads.add(thread);
      await Promise.all(leaves);
    } else
      for (const [i, [draft, box]] of all.entries()) {
        threads.add(await put(draft, box));
        for (const each of leaving.filter(({ after }) => after === i)) await leave(mails, each);
      }
    const stored = await found(threads);
    if (leaving.length > 0) await checkViews(stored);
    // The same function on all messages at once, as if each had a thread of its own.
    const messages = stored.flat();
    const alone = messages.map((message) => {
      const link = linkOf(message);
      const thread = { id: link.thread_id, mailbox_ids: link.mailbox_ids } as Thread;
      return {
        thread: { ...thread, id: link.id },
        links: [{ ...link, thread_id: link.id }],
        annotated: false,
        closed: false,
      };
    });
    const groups = groupsOf(alone, [], hashedAddresses(ingestion.members));
    expect(asNames(stored)).toEqual(asNames(groups.map(({ links }) => links)));
  }

  const runs = Number(process.env.RUNS ?? reduced(15));

  it('end in threads that are a function of all messages, in any order', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(claim, { minLength: 2, maxLength: 7 }),
        fc.array(fc.nat({ max: 20 }), { maxLength: 9 }),
        (mails, order) => check(mails, order, false),
      ),
      { numRuns: runs },
    );
  });

  const leaving = fc.array(
    fc.record({ after: fc.nat({ max: 8 }), mail: fc.nat({ max: 6 }), box: fc.nat({ max: 1 }) }),
    { minLength: 1, maxLength: 6 },
  );

  it('end in the same threads, whichever of them leave mailboxes', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(claim, { minLength: 2, maxLength: 6 }),
        fc.array(fc.nat({ max: 20 }), { maxLength: 9 }),
        leaving,
        fc.boolean(),
        (mails, order, leaves, atOnce) => check(mails, order, atOnce, leaves),
      ),
      { numRuns: runs },
    );
  });

  it('end in the same threads when they arrive at once', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(claim, { minLength: 2, maxLength: 6 }), (mails) => check(mails, [], true)),
      { numRuns: Math.ceil(runs / 2) },
    );
  });
});
