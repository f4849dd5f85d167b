import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { arrivalOf } from '#shared/domain/mail/threads/arrival.ts';
import type { Delivery, Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import { ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import { mailboxesOf, type Thread } from '#shared/domain/mail/threads/thread.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { meanwhile } from '../../../support/faults.ts';
import { cases, longIt } from '../../../support/long.ts';
import { type Draft, eml, givenMailbox } from '../../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** The thread of a message when others move or arrive at the same time, and when it arrives twice. */
describe('a message that is ingested', () => {
  let workspace: Workspace;
  let ingestion: Ingestion;
  let boxes: { ada: string; grace: string };
  let run = 0;
  const id = (name: string) => `${name}-${run}@x`;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    run++;
    const { table, ctx, ada, grace } = workspace;
    boxes = { ada: await givenMailbox(workspace, ada), grace: await givenMailbox(workspace, grace) };
    const members = await membersOf(table, workspace.account_id);
    ingestion = { table, bucket: bucketOf(ctx), members, now: ctx.clock, ports: ctx.ports };
  });

  type Box = keyof typeof boxes;

  async function deliveryOf(draft: Draft, box: Box): Promise<Delivery> {
    const raw = eml({ to: 'board@elsewhere.example', ...draft });
    const mailbox = ingestion.members.mailboxes.find((each) => each.id === boxes[box]);
    return {
      account_id: workspace.account_id,
      mailbox: mailbox as NonNullable<typeof mailbox>,
      message: await parseMessage(raw),
      raw,
      source: `${run} ${box} ${JSON.stringify(draft)}`,
    };
  }

  /** The thread of a message, which is checked to be complete: message, body, mailboxes and their owners. */
  async function threadOf(draft: Draft, box: Box = 'ada'): Promise<string> {
    const { table } = workspace;
    const { message } = arrivalOf(ingestion, await deliveryOf(draft, box));
    const row = await table.get<IdRow>(keys.messageId(workspace.account_id, message.id_hash, message.id));
    const thread_id = row?.thread_id as string;
    const messages = await messagesOf(table, thread_id);
    const there = messages.find((each) => each.id === message.id);
    expect(there?.mailbox_ids).toEqual(row?.mailbox_ids);
    expect(row?.mailbox_ids).toContain(boxes[box]);
    expect(await table.get(keys.body(thread_id, message.id))).toBeDefined();
    const mailbox_ids = new Set(messages.flatMap((each) => [...mailboxesOf(each)]));
    const owners = ingestion.members.mailboxes.filter((mailbox) => mailbox_ids.has(mailbox.id));
    const thread = await table.get<Thread>(keys.record('threads', thread_id));
    expect(thread).not.toHaveProperty('merged_into');
    expect(thread).toMatchObject({ mailbox_ids, owner_ids: new Set(owners.map(({ user_id }) => user_id)) });
    return thread_id;
  }

  async function ingest(draft: Draft, box: Box = 'ada'): Promise<string> {
    const { thread_id } = await ingestMessage(ingestion, await deliveryOf(draft, box));
    expect(await threadOf(draft, box)).toBe(thread_id);
    await refreshThread(workspace.table, thread_id, ingestion.members);
    return thread_id;
  }

  /** Runs `work` right before the `which`th transaction of the arriving message. */
  async function ingestWhile(draft: Draft, work: () => Promise<unknown>, which = 1): Promise<void> {
    const other = meanwhile(workspace.table, 'TransactWriteItemsCommand', work, which);
    try {
      await ingest(draft);
      expect(other.hit).toBe(true);
    } finally {
      other.remove();
    }
  }

  const together = async (...drafts: (Draft | [Draft, Box])[]) =>
    new Set(
      await Promise.all(
        drafts.map((each) => (Array.isArray(each) ? threadOf(each[0], each[1]) : threadOf(each))),
      ),
    ).size === 1;

  describe('that others wait for', () => {
    it.each<[Box, Box]>([
      ['ada', 'grace'],
      ['grace', 'ada'],
    ])('joins none that wait in another mailbox: %s, %s', async (hers, his) => {
      const waiting = await ingest({ id: id('2'), in_reply_to: id('1') }, hers);
      expect(await ingest({ id: id('1') }, his)).not.toBe(waiting);
    });

    longIt.each<[Box, Box]>([
      ['ada', 'grace'],
      ['grace', 'ada'],
    ])('joins those that wait in its own mailbox, whatever waits elsewhere: %s, %s', async (own, other) => {
      const two: Draft = { id: id('2'), in_reply_to: id('1') };
      const three: Draft = { id: id('3'), in_reply_to: id('1') };
      await ingest(three, other);
      await ingest(two, own);
      await ingest({ id: id('1') }, own);
      expect(await together([two, own], [{ id: id('1') }, own])).toBe(true);
      expect(await together([two, own], [three, other])).toBe(false);
    });
  });

  it('is a separate message in another account, with another id', async () => {
    const delivery = await deliveryOf({ id: id('1') }, 'ada');
    const elsewhere = { ...delivery, account_id: workspace.hank.user.account_id };
    expect(arrivalOf(ingestion, elsewhere).message.id).not.toBe(arrivalOf(ingestion, delivery).message.id);
  });

  it('does not follow into a shared thread as the copy of a message there', async () => {
    const { ada, grace } = workspace;
    const shared = await ingest({ id: id('1'), subject: 'Winch', text: 'As it was written.' });
    const params = { record_type: 'threads' as const, record_id: shared };
    await ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } });
    expect(await ingest({ id: id('1'), subject: 'Winch', text: 'As a list changed it.' })).not.toBe(shared);
  });

  longIt.each<[string, (params: { record_type: 'threads'; record_id: string }) => Promise<unknown>]>([
    [
      'comments',
      (params) => workspace.ada.api.createComment({ params, body: { comment: { html_content: 'Us.' } } }),
    ],
    ['tags', (params) => workspace.ada.api.applyTag({ params, body: { tag: { name: `Us ${run}` } } })],
  ])('joins no thread of other readers to one with %s', async (_what, annotate) => {
    const both: Draft = { id: id('both'), subject: 'Plan' };
    const waiting: Draft = { id: id('2'), in_reply_to: id('1') };
    await ingest(both);
    await ingest(both, 'grace');
    await annotate({ record_type: 'threads', record_id: await ingest(waiting) });
    await ingest({ id: id('1'), in_reply_to: id('both') });
    expect(await together(both, waiting)).toBe(false);
  });

  longIt.each(cases([1, 8], [0, 7, 37]))(
    'follows an ancestor behind %i nearer ones that are missing',
    async (missing) => {
      const references = [
        ...['a', 'b'].map(id),
        ...Array.from({ length: missing }, (_, i) => id(`missing-${i}`)),
      ];
      for (const [one, other] of [
        [0, 1],
        [1, 0],
      ] as const) {
        run++;
        const named = references.map((name) => name.replace(/\d+@x$/, `${run}@x`));
        const drafts: Draft[] = [{ id: named[1] as string }, { id: id('reply'), references: named }];
        await ingest(drafts[one] as Draft);
        await ingest(drafts[other] as Draft);
        expect(await together(...drafts)).toBe(true);
      }
    },
  );

  describe('that reached another mailbox before', () => {
    longIt('is found there by an ancestor that the first mailbox did not look for', async () => {
      const reply: Draft = { id: id('4'), references: ['1', '2', '3'].map(id) };
      await ingest({ id: id('3') });
      await ingest(reply);
      await ingest(reply, 'grace');
      await ingest({ id: id('2') }, 'grace');
      expect(await together([{ id: id('2') }, 'grace'], [reply, 'grace'])).toBe(true);
    });

    it('joins others there that wait for the same ancestor', async () => {
      const [two, three]: [Draft, Draft] = [
        { id: id('2'), in_reply_to: id('1') },
        { id: id('3'), in_reply_to: id('1') },
      ];
      await ingest(two);
      await ingest(two, 'grace');
      await ingest(three, 'grace');
      expect(await together(two, [three, 'grace'])).toBe(true);
    });

    longIt('brings its thread to those there that wait for the same ancestor', async () => {
      const [two, three]: [Draft, Draft] = [
        { id: id('2'), in_reply_to: id('1') },
        { id: id('3'), in_reply_to: id('1') },
      ];
      await ingest(three, 'grace');
      await ingest(two);
      await ingest(two, 'grace');
      expect(await together(two, [three, 'grace'])).toBe(true);
    });

    longIt('brings its thread to the parent that only the second mailbox has', async () => {
      const reply: Draft = { id: id('2'), in_reply_to: id('1') };
      await ingest(reply);
      await ingest({ id: id('1') }, 'grace');
      await ingest(reply, 'grace');
      expect(await together(reply, [{ id: id('1') }, 'grace'])).toBe(true);
    });
  });

  describe('while another one', () => {
    const [one, two, three] = ['1', '2', '3'] as const;
    const first = (): Draft => ({ id: id(one), subject: 'Winch' });
    const bridge = (): Draft => ({ id: id(two), subject: 'Re: Winch', in_reply_to: id(one) });
    const behind = (): Draft => ({ id: id(three), subject: 'Re: Winch', in_reply_to: id(two) });

    longIt('takes the thread of its parent into a third', async () => {
      const reply: Draft = { id: id('4'), subject: 'Re: Winch', in_reply_to: id(three) };
      await ingest(first());
      await ingest(behind());
      await ingestWhile(reply, () => ingest(bridge()));
      expect(await together(first(), bridge(), behind(), reply)).toBe(true);
    });

    longIt('takes the thread in which it waits into a third', async () => {
      const reply: Draft = { id: id('4'), subject: 'Re: Winch', in_reply_to: id(two) };
      await ingest(first());
      await ingest(behind());
      await ingestWhile(reply, () => ingest(bridge()));
      expect(await together(first(), bridge(), behind(), reply)).toBe(true);
    });

    /** The missing beginning of two conversations of different people. */
    const beginning = (): Draft => ({
      id: id('0'),
      from: 'p@x.example',
      to: 'q@x.example',
      subject: 'Fleet',
    });
    const fleet = (): Draft => ({
      ...{ id: id('f'), from: 'q@x.example', to: 'r@x.example', subject: 'Fleet', references: [id('0')] },
    });
    const harbour = (): Draft => ({
      ...{ id: id('h'), from: 's@x.example', to: 't@x.example', subject: 'Harbour', references: [id('0')] },
    });

    it('makes its parent leave their thread', async () => {
      const reply: Draft = { ...harbour(), id: id('r'), from: 't@x.example', references: [id('0'), id('h')] };
      await ingest(fleet());
      await ingest(harbour());
      await ingestWhile(reply, () => ingest(beginning()));
      expect(await together(harbour(), reply)).toBe(true);
      expect(await together(fleet(), reply)).toBe(false);
    });

    longIt.each(cases([3], [2, 4]))(
      'moves a message, which reaches another mailbox before transaction %i',
      async (which) => {
        await ingest(fleet());
        await ingest(harbour());
        await ingestWhile(beginning(), () => ingest(harbour(), 'grace'), which);
        expect(await together(harbour(), [harbour(), 'grace'])).toBe(true);
        expect(await together(fleet(), harbour())).toBe(false);
      },
    );

    longIt('takes in its thread, and it reaches another mailbox meanwhile', async () => {
      await ingest(first());
      await ingest(behind());
      await ingestWhile(bridge(), () => ingest(behind(), 'grace'), 2);
      expect(await together(first(), bridge(), behind(), [behind(), 'grace'])).toBe(true);
    });

    longIt.each(cases([4], [3, 5]))(
      'moves messages to a thread that is taken into a third before transaction %i',
      async (which) => {
        const start: Draft = { id: id('s'), subject: 'Winch' };
        const [middle, top]: [Draft, Draft] = [
          { id: id('m'), subject: 'Re: Winch', in_reply_to: id('s') },
          { id: id(one), subject: 'Re: Winch', in_reply_to: id('m') },
        ];
        await ingest(start);
        await ingest(top);
        await ingest(behind());
        await ingestWhile(bridge(), () => ingest(middle), which);
        expect(await together(start, middle, top, bridge(), behind())).toBe(true);
      },
    );

    longIt('would join a thread that is shared meanwhile', async () => {
      const { ada, grace } = workspace;
      await ingest(first());
      const record_id = await ingest(behind());
      const share = () =>
        ada.api.createShare({
          params: { record_type: 'threads', record_id },
          body: { share: { user_id: grace.user.id } },
        });
      await ingestWhile(bridge(), share, 2);
      expect(await together(first(), bridge())).toBe(true);
      expect(await threadOf(behind())).toBe(record_id);
    });

    longIt.each<[string, () => Draft]>([
      ['is the ancestor that it found none nearer than', () => ({ id: id('near') })],
      ['is the only one that it looked for', () => ({ id: id('only') })],
    ])('%s', async (_what, other) => {
      const references = other().id === id('near') ? [id('root'), id('far'), id('near')] : [id('only')];
      if (references.length > 1) await ingest({ id: id('far') });
      const reply: Draft = { id: id('reply'), references };
      await ingestWhile(reply, () => ingest(other()));
      expect(await together(reply, other())).toBe(true);
    });
  });
});
