import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimId } from '../../../support/claimed-ids.ts';
import { givenGroup } from '../../../support/groups.ts';
import { cases, longIt } from '../../../support/long.ts';
import { type Draft, eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Senders of mail and importers of files choose Message-ID, References and In-Reply-To. */
describe('what a mail claims', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let boxes: { ada: string; grace: string };
  let run = 0;
  /** An id of this test. */
  const id = (name: string) => `${name}-${run}@x`;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    run++;
    boxes = { ada: await givenMailbox(workspace, ada), grace: await givenMailbox(workspace, grace) };
  });

  const mail = (draft: Draft) => eml({ to: 'board@elsewhere.example', ...draft });
  const importInto = (user: TestUser, mailbox: string, ...drafts: Draft[]) =>
    importMail(workspace, user, mailbox, drafts.map(mail));
  const forAda = (...drafts: Draft[]) => importInto(ada, boxes.ada, ...drafts);
  const forGrace = (...drafts: Draft[]) => importInto(grace, boxes.grace, ...drafts);
  const threads = (user: TestUser, mailbox_id: string) => listAllThreads(user.reader, { mailbox_id });
  const open = async (user: TestUser, thread: string) =>
    (await user.reader.retrieveThread({ params: { id: thread } })).body.thread;
  const textsOf = async (user: TestUser, mailbox: string) => {
    const found = [];
    for (const thread of await threads(user, mailbox))
      found.push(
        ...((await open(user, thread.id)).messages ?? []).map(({ body }) => body?.new_plain_text?.trim()),
      );
    return found.sort();
  };
  const on = (record_id: string) => ({ params: { record_type: 'threads' as const, record_id } });
  const comment = (user: TestUser, thread: string, html_content: string) =>
    user.api.createComment({ ...on(thread), body: { comment: { html_content } } });
  const share = (user: TestUser, thread: string, target: { user_id: string } | { group_id: string }) =>
    user.api.createShare({ ...on(thread), body: { share: target } });

  describe('by its Message-ID', () => {
    const secret = { subject: 'Merger', text: 'The price is 4 million.' };
    const forged = { subject: 'Merger', text: 'Anything.' };

    longIt('opens no mail of another mailbox with the same id', async () => {
      await forAda({ id: id('a'), ...secret });
      expect(await forGrace({ id: id('a'), ...forged })).toMatchObject({ messages_imported: 1 });
      expect(await textsOf(grace, boxes.grace)).toEqual([forged.text]);
      expect(await textsOf(ada, boxes.ada)).toEqual([secret.text]);
      const [[hers], [his]] = [await threads(grace, boxes.grace), await threads(ada, boxes.ada)];
      expect(hers?.id).not.toBe(his?.id);
      await expect(grace.reader.retrieveThread({ params: { id: his?.id as string } })).rejects.toMatchObject({
        status: 404,
      });
    });

    longIt('does not replace the genuine mail by arriving first', async () => {
      await forGrace({ id: id('a'), ...forged });
      expect(await forAda({ id: id('a'), ...secret })).toMatchObject({ messages_imported: 1 });
      expect(await textsOf(ada, boxes.ada)).toEqual([secret.text]);
    });

    it('does not hide another mail of the same mailbox', async () => {
      const counts = await forAda({ id: id('a'), ...secret }, { id: id('a'), ...forged });
      expect(counts).toMatchObject({ messages_imported: 2, messages_skipped: 0 });
      expect(await textsOf(ada, boxes.ada)).toEqual([forged.text, secret.text]);
    });

    const links = (href: string): Partial<Draft> => ({
      headers: ['Content-Type: text/html; charset=utf-8'],
      text: `<p>Please <a href="${href}">pay</a></p>`,
    });
    longIt.each<[string, Partial<Draft>, Partial<Draft>]>([
      ['a link', links('https://bank.example/'), links('https://thief.example/')],
      ['a recipient', { to: 'board@elsewhere.example' }, { to: 'thief@elsewhere.example' }],
      ['the name of the sender', { from: 'Priya <p@x.example>' }, { from: 'The Bank <p@x.example>' }],
      ['a prefix of the subject', { subject: 'Plan' }, { subject: '[Urgent] Plan' }],
      ['an ancestor', { references: ['one@x'] }, { references: ['two@x'] }],
      ['the date', {}, { date: 'Tue, 03 Nov 2026 10:00:00 +0000' }],
    ])('keeps both when they differ by %s', async (_what, one, other) => {
      await forGrace({ id: id('a'), subject: 'Plan', ...other });
      await forAda({ id: id('a'), subject: 'Plan', ...one });
      const [[hers], [his]] = [await threads(grace, boxes.grace), await threads(ada, boxes.ada)];
      const [[a], [b]] = [
        (await open(grace, hers?.id as string)).messages,
        (await open(ada, his?.id as string)).messages,
      ] as [{ id: string }[], { id: string }[]];
      expect(a?.id).not.toBe(b?.id);
    });

    longIt('is the same mail when only the servers on the way differ, and is stored once', async () => {
      const way = (hop: string): Draft => ({
        id: id('a'),
        ...secret,
        headers: [
          'Content-Type: text/plain; charset=utf-8',
          `Received: by ${hop}; Mon, 02 Nov 2026 10:00:09 +0000`,
          'Status: RO',
        ],
      });
      await forAda(way('one.example'));
      expect(await forAda(way('two.example'))).toMatchObject({ messages_skipped: 1, messages_imported: 0 });
      await forGrace(way('three.example'));
      const [[hers], [his]] = [await threads(grace, boxes.grace), await threads(ada, boxes.ada)];
      expect(hers?.id).toBe(his?.id);
    });

    it('is recognized without a Message-ID, with any Status and line ends', async () => {
      const text = 'No id at all.';
      await forAda({ id: null, text, headers: ['Content-Type: text/plain', 'Status: O'] });
      const again = eml({
        id: null,
        to: 'board@elsewhere.example',
        text,
        headers: ['Content-Type: text/plain', 'Status: RO'],
      });
      const bare = Buffer.from(again.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
      expect(await importMail(workspace, ada, boxes.ada, [bare])).toMatchObject({ messages_skipped: 1 });
    });

    it('groups copies of one message that a list changed in one thread', async () => {
      await forAda({ id: id('a'), subject: 'Winch', text: 'It broke.' });
      await forAda({
        id: id('a'),
        subject: '[ferries] Winch',
        text: 'It broke.\r\n-- \r\nferries mailing list',
      });
      expect(await threads(ada, boxes.ada)).toMatchObject([{ message_count: 2 }]);
    });
  });

  describe('by what it refers to', () => {
    longIt('opens no confidential thread to users of another, shared thread', async () => {
      await forAda(
        { id: id('shared'), subject: 'Plan' },
        { id: id('secret'), subject: 'Merger', text: 'Secret.' },
      );
      const [a, b] = await threads(ada, boxes.ada);
      const [shared, secret] = a?.subject === 'Plan' ? [a, b] : [b, a];
      await share(ada, shared?.id as string, { user_id: grace.user.id });
      for (const references of [
        [id('shared'), id('secret')],
        [id('secret'), id('shared')],
      ])
        await forAda({ id: id(references.join()), subject: 'Re: Plan', references, text: 'From outside.' });
      await expect(
        grace.reader.retrieveThread({ params: { id: secret?.id as string } }),
      ).rejects.toMatchObject({ status: 404 });
      const seen = (await open(grace, shared?.id as string)).messages?.map(({ body }) =>
        body?.new_plain_text?.trim(),
      );
      expect(seen).not.toContain('Secret.');
      expect((await threads(ada, boxes.ada)).map((thread) => thread.message_count)).toEqual([2, 2]);
    });

    longIt('opens nothing by being the missing ancestor of a confidential thread', async () => {
      await forAda(
        { id: id('shared'), subject: 'Plan' },
        { id: id('reply'), subject: 'Re: Merger', in_reply_to: id('missing'), text: 'Secret.' },
      );
      const all = await threads(ada, boxes.ada);
      const shared = all.find((thread) => thread.subject === 'Plan');
      const secret = all.find((thread) => thread.subject !== 'Plan');
      await share(ada, shared?.id as string, { user_id: grace.user.id });
      await forAda({ id: id('missing'), subject: 'Merger', in_reply_to: id('shared'), text: 'Bridge.' });
      await expect(
        grace.reader.retrieveThread({ params: { id: secret?.id as string } }),
      ).rejects.toMatchObject({ status: 404 });
      const seen = (await open(grace, shared?.id as string)).messages?.map(({ body }) =>
        body?.new_plain_text?.trim(),
      );
      expect(seen).not.toContain('Secret.');
    });

    longIt('draws no genuine mail into a shared thread by having its Message-ID first', async () => {
      await forAda(
        { id: id('shared'), subject: 'Plan' },
        { id: id('a'), subject: 'Re: Plan', in_reply_to: id('shared'), text: 'Forged.' },
      );
      const [shared] = await threads(ada, boxes.ada);
      await share(ada, shared?.id as string, { user_id: grace.user.id });
      await forAda({ id: id('a'), subject: 'Merger', from: 'boss@x.example', text: 'Secret.' });
      const seen = (await open(grace, shared?.id as string)).messages?.map(({ body }) =>
        body?.new_plain_text?.trim(),
      );
      expect(seen?.sort()).toEqual(['Forged.', 'Hello.']);
    });

    it('makes nobody a reader of the comments of a thread whose Message-ID is known', async () => {
      await forAda({ id: id('a'), subject: 'Merger' });
      const [thread] = await threads(ada, boxes.ada);
      await comment(ada, thread?.id as string, 'Between us.');
      await forGrace({ id: id('b'), subject: 'Re: Merger', in_reply_to: id('a'), references: [id('a')] });
      const [own] = await threads(grace, boxes.grace);
      expect(own?.id).not.toBe(thread?.id);
      await expect(grace.reader.listComments(on(thread?.id as string))).rejects.toMatchObject({
        status: 404,
      });
      expect((await grace.reader.listComments(on(own?.id as string))).body.comments).toEqual([]);
    });

    longIt('lets nobody merge threads of a mailbox that is closed to them', async () => {
      await forAda({ id: id('a'), subject: 'One' }, { id: id('b'), subject: 'Two' });
      await forGrace({
        id: id('c'),
        subject: 'Re: One',
        references: [id('a'), id('b')],
        in_reply_to: id('b'),
      });
      expect(await threads(ada, boxes.ada)).toHaveLength(2);
      expect(await threads(grace, boxes.grace)).toHaveLength(1);
    });

    longIt('does not merge commented threads of different readers', async () => {
      // Both are Ada's mail: one reached Grace too, the other waits for its beginning.
      await forAda(
        { id: id('both'), subject: 'Plan' },
        { id: id('reply'), subject: 'Re: Pay', in_reply_to: id('missing') },
      );
      await forGrace({ id: id('both'), subject: 'Plan' });
      const all = await threads(ada, boxes.ada);
      const waiting = all.find((thread) => thread.subject !== 'Plan')?.id as string;
      await comment(ada, waiting, 'Between us.');
      await forAda({ id: id('missing'), subject: 'Pay', in_reply_to: id('both') });
      const [open] = await threads(grace, boxes.grace);
      expect((await grace.reader.listComments(on(open?.id as string))).body.comments).toEqual([]);
      expect((await ada.reader.listComments(on(waiting))).body.comments).toHaveLength(1);
    });

    it('follows a parent that names the mailbox among its recipients', async () => {
      await forAda({
        id: id('a'),
        subject: 'Plan',
        to: 'ada@elsewhere.example',
        cc: grace.user.email_address,
      });
      await forGrace({ id: id('b'), subject: 'Re: Plan', in_reply_to: id('a') });
      const [[hers], [his]] = [await threads(grace, boxes.grace), await threads(ada, boxes.ada)];
      expect(hers?.id).toBe(his?.id);
    });

    longIt(
      'follows the mail that was received first, however many later ones claim its Message-ID',
      async () => {
        await forAda({ id: id('a'), subject: 'Plan' });
        await claimId(workspace, boxes.ada, id('a'), 150);
        await forAda({ id: id('b'), subject: 'Re: Plan', in_reply_to: id('a') });
        expect(await threads(ada, boxes.ada)).toMatchObject([{ message_count: 2 }]);
      },
    );

    longIt('keeps shares, with their groups, of a thread whose missing ancestor arrives', async () => {
      await forAda(
        { id: id('b'), subject: 'Re: Plan', in_reply_to: id('a') },
        { id: id('c'), subject: 'Re: Plan', in_reply_to: id('b') },
      );
      const [thread] = await threads(ada, boxes.ada);
      const group = await givenGroup(ada, [grace]);
      await share(ada, thread?.id as string, { group_id: group.id });
      await forAda({ id: id('a'), subject: 'Plan' });
      expect(await open(grace, thread?.id as string)).toMatchObject({ message_count: 2 });
      await ada.api.deleteGroup({ params: { id: group.id } });
      await expect(
        grace.reader.retrieveThread({ params: { id: thread?.id as string } }),
      ).rejects.toMatchObject({ status: 404 });
    });
  });

  describe('in any order', () => {
    const orders = cases([[[0, 1, 2]], [[2, 0, 1]]], [[[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 1, 0]]]);
    const three = (): Draft[] => [
      { id: id('1'), from: 'p@x.example', to: 'q@x.example', subject: 'plan' },
      {
        id: id('2'),
        from: 'q@x.example',
        to: 'p@x.example',
        cc: 'r@x.example',
        subject: 'Re: plan',
        references: [id('1')],
      },
      {
        id: id('3'),
        from: 'r@x.example',
        to: 's@x.example',
        subject: 'other',
        references: [id('1'), id('2')],
      },
    ];
    longIt.each(orders)('produces the same threads: %j', async (order) => {
      for (const i of order) await forAda(three()[i] as Draft);
      expect(await threads(ada, boxes.ada)).toMatchObject([{ message_count: 3 }]);
    });

    it('groups a mail that refers to itself with those that wait for it', async () => {
      const self: Draft = { id: id('self'), subject: 'plan', references: [id('self')], text: 'Self.' };
      await forAda({ id: id('reply'), subject: 'Re: plan', references: [id('self')] });
      expect(await forAda(self)).toMatchObject({ messages_imported: 1, messages_failed: 0 });
      expect(await threads(ada, boxes.ada)).toMatchObject([{ message_count: 2 }]);
    });

    longIt('leaves a thread when the beginning shows that the subject and the people changed', async () => {
      await forAda(
        { id: id('2'), from: 'q@x.example', to: 'r@x.example', subject: 'Fleet', references: [id('1')] },
        { id: id('3'), from: 's@x.example', to: 't@x.example', subject: 'Harbour', references: [id('1')] },
      );
      expect(await threads(ada, boxes.ada)).toHaveLength(1);
      await forAda({ id: id('1'), from: 'p@x.example', to: 'q@x.example', subject: 'Fleet' });
      const found = await threads(ada, boxes.ada);
      expect(found.map((thread) => [thread.subject, thread.message_count]).sort()).toEqual([
        ['Fleet', 2],
        ['Harbour', 1],
      ]);
    });

    /**
     * Two mails that might be the ancestor of a reply, and the threads that the three make.
     */
    const rivals: [string, () => Draft[], string[]][] = [
      [
        'claim one id, the first of them foreign',
        () => [
          { id: id('a0'), subject: 'Harbour', references: [id('a1')] },
          { id: id('a1'), subject: 'Fleet' },
          { id: id('a1'), subject: 'Plan' },
        ],
        ['first', 'reply', 'second'],
      ],
      [
        'claim one id, the second of them with its subject',
        () => [
          { id: id('b0'), subject: 'Harbour', references: [id('b1')] },
          { id: id('b1'), subject: 'Fleet' },
          { id: id('b1'), subject: 'Harbour' },
        ],
        ['first', 'reply', 'second'],
      ],
      [
        'claim one id and have its subject',
        () => [
          { id: id('c0'), subject: 'Re: Fleet', references: [id('c1')] },
          { id: id('c1'), subject: 'Fleet' },
          { id: id('c1'), subject: 'Fleet' },
        ],
        ['first reply', 'second'],
      ],
      [
        'are its ancestors, the nearer one foreign',
        () => [
          { id: id('d0'), subject: 'Harbour', references: [id('d2'), id('d1')] },
          { id: id('d1'), subject: 'Fleet' },
          { id: id('d2'), subject: 'Plan' },
        ],
        ['first', 'reply', 'second'],
      ],
      [
        'are its ancestors, the farther one with its subject',
        () => [
          { id: id('e0'), subject: 'Harbour', references: [id('e2'), id('e1')] },
          { id: id('e1'), subject: 'Fleet' },
          { id: id('e2'), subject: 'Harbour' },
        ],
        ['first', 'reply', 'second'],
      ],
    ];
    /** The author of the reply has no part in the first, and received the second. */
    const people: Partial<Draft>[] = [
      { text: 'reply', from: 'q@x.example', to: 'r@x.example' },
      { text: 'first', from: 'p@x.example', to: 's@x.example', date: 'Mon, 02 Nov 2026 10:01:00 +0000' },
      { text: 'second', from: 't@x.example', to: 'q@x.example', date: 'Mon, 02 Nov 2026 10:02:00 +0000' },
    ];
    longIt.each(orders)('places a reply with two possible ancestors: %j', async (order) => {
      for (const i of order)
        await forAda(
          ...rivals.map(([, drafts], rival) => {
            const { text, ...sent } = people[i] as Partial<Draft>;
            return { ...(drafts()[i] as Draft), ...sent, text: `${rival} ${text}` };
          }),
        );
      const found = rivals.map((): string[] => []);
      for (const { id: thread } of await threads(ada, boxes.ada)) {
        const { messages } = await open(ada, thread);
        const texts = (messages ?? []).map(({ body }) => body?.new_plain_text?.trim().split(' ') ?? []);
        found[Number(texts[0]?.[0])]?.push(
          texts
            .map(([, name]) => name)
            .sort()
            .join(' '),
        );
      }
      expect(rivals.map(([name], rival) => [name, found[rival]?.sort()])).toEqual(
        rivals.map(([name, , groups]) => [name, groups]),
      );
    });
  });
});
