import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from '../../../support/faults.ts';
import { longIt, STRIDE } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { withdrawMail } from '../../../support/withdrawn.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const NOT_FOUND = { code: 'record_not_found' };
const on = (record_id: string) => ({ params: { record_type: 'threads' as const, record_id } });
const at = (minute: number) => `Mon, 02 Nov 2026 10:0${minute}:00 +0000`;

describe('messages that leave a mailbox', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let [box, other, run] = ['', '', 0];

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace?.stop());

  const start = async () => {
    run++;
    box = await givenMailbox(workspace, ada);
    other = await givenMailbox(workspace, grace);
  };
  const id = (n: number) => `${n}-${run}@x`;
  const mail = (n: number, more: Partial<Parameters<typeof eml>[0]> = {}) =>
    eml({
      id: id(n),
      subject: n === 1 ? `Winch${run}` : `Re: Winch${run}`,
      text: `Text ${n}.`,
      date: at(n),
      ...(n === 1 ? {} : { in_reply_to: id(n - 1) }),
      ...more,
    });
  const threadsOf = (user: TestUser, mailbox_id: string) => listAllThreads(user.reader, { mailbox_id });
  const textsOf = async (user: TestUser, thread_id: string) => {
    const { thread } = (await user.reader.retrieveThread({ params: { id: thread_id } })).body;
    return thread.messages?.map((message) => message.body?.new_plain_text?.trim());
  };

  longIt('are no part of their thread any more, and come back whole', async () => {
    await start();
    const file = withFiles('<p>With a plan.</p>', [{ name: `plan${run}.pdf`, content: `plan ${run}` }]);
    await importMail(workspace, ada, box, [
      mail(1),
      mail(2, { ...file, from: 'Olu <olu@x.example>' }),
      mail(3),
    ]);
    const [before] = await threadsOf(ada, box);
    const thread_id = before?.id as string;
    const { thread } = (await ada.reader.retrieveThread({ params: { id: thread_id } })).body;
    const attachment = thread.messages?.[1]?.attachments?.[0];
    const link = () => ada.reader.createPresignedUrl({ params: { id: attachment?.id as string } });
    await workspace.table.update<Thread>(keys.record('threads', thread_id), {
      set: { summaries: { key: { headline: 'Plan', summary: 'A plan.', version: 9 } } },
    });
    expect((await link()).status).toBe(200);
    await withdrawMail(workspace, box, id(2));
    const [after] = await threadsOf(ada, box);
    expect(after).toMatchObject({ id: thread_id, message_count: 2, has_attachments: false });
    expect(Object.keys(after?.participant_names ?? {})).not.toContain('olu@x.example');
    expect(await textsOf(ada, thread_id)).toEqual(['Text 1.', 'Text 3.']);
    await expect(link()).rejects.toMatchObject(NOT_FOUND);
    const files = async () =>
      (await ada.reader.listFiles({ query: { query: `plan${run}` } })).body.collection;
    expect((await files()).records).toEqual([]);
    const stored = await workspace.table.get<Thread>(keys.record('threads', thread_id));
    expect(stored?.summaries).toBeUndefined();
    await importMail(workspace, ada, box, [mail(2, { ...file, from: 'Olu <olu@x.example>' })]);
    expect(await threadsOf(ada, box)).toMatchObject([{ ...before, read: false, snippet: before?.snippet }]);
    expect((await files()).records).toHaveLength(1);
    expect((await link()).status).toBe(200);
  });

  longIt(
    'leave a thread that nobody finds when they were all; its comments return with one of them',
    async () => {
      await start();
      await importMail(workspace, ada, box, [mail(1), mail(2)]);
      const [{ id: thread_id } = { id: '' }] = await threadsOf(ada, box);
      await ada.api.createComment({ ...on(thread_id), body: { comment: { html_content: 'Mine.' } } });
      await ada.api.createShare({ ...on(thread_id), body: { share: { user_id: grace.user.id } } });
      await ada.api.applyTag({ ...on(thread_id), body: { tag: { name: `Tag ${run}` } } });
      await withdrawMail(workspace, box, id(1), id(2));
      for (const user of [ada, grace]) {
        expect(await listAllThreads(user.reader, { query: `winch${run}` })).toEqual([]);
        for (const request of [
          () => user.reader.retrieveThread({ params: { id: thread_id } }),
          () => user.reader.listComments(on(thread_id)),
          () => user.api.flagThread({ params: { thread_id } }),
        ])
          await expect(request()).rejects.toMatchObject(NOT_FOUND);
      }
      expect(await threadsOf(ada, box)).toEqual([]);
      await importMail(workspace, ada, box, [mail(2)]);
      expect(await threadsOf(ada, box)).toMatchObject([{ id: thread_id, message_count: 1, read: false }]);
      expect((await ada.reader.listComments(on(thread_id))).body.comments).toHaveLength(1);
      expect(await textsOf(grace, thread_id)).toEqual(['Text 2.']);
    },
  );

  it('stay with those who have them in another mailbox', async () => {
    await start();
    await importMail(workspace, ada, box, [mail(1)]);
    await importMail(workspace, grace, other, [mail(1)]);
    await withdrawMail(workspace, box, id(1));
    expect(await threadsOf(ada, box)).toEqual([]);
    const [seen] = await threadsOf(grace, other);
    expect(await textsOf(grace, seen?.id as string)).toEqual(['Text 1.']);
    await expect(ada.reader.retrieveThread({ params: { id: seen?.id as string } })).rejects.toMatchObject(
      NOT_FOUND,
    );
  });

  longIt('do not make new mail of what a share opens afterwards', async () => {
    await start();
    const third = await givenMailbox(workspace, ada);
    await importMail(workspace, grace, other, [mail(1)]);
    await importMail(workspace, ada, third, [mail(1)]);
    await importMail(workspace, ada, box, [mail(1), mail(2)]);
    const [{ id: thread_id } = { id: '' }] = await threadsOf(grace, other);
    await grace.api.markThreadRead({ params: { thread_id } });
    await grace.api.resolveThread({ params: { thread_id } });
    await withdrawMail(workspace, third, id(1));
    await ada.api.createShare({ ...on(thread_id), body: { share: { user_id: grace.user.id } } });
    expect(await threadsOf(grace, other)).toMatchObject([{ message_count: 2, read: true, resolved: true }]);
  });

  it('hold their conversation together: replies that come later join it', async () => {
    await start();
    await importMail(workspace, ada, box, [mail(1), mail(2), mail(3)]);
    const [{ id: thread_id } = { id: '' }] = await threadsOf(ada, box);
    await withdrawMail(workspace, box, id(2), id(3));
    await importMail(workspace, ada, box, [mail(4), mail(5, { in_reply_to: id(2) })]);
    expect(await threadsOf(ada, box)).toMatchObject([{ id: thread_id, message_count: 3 }]);
    expect(await textsOf(ada, thread_id)).toEqual(['Text 1.', 'Text 4.', 'Text 5.']);
  });

  longIt('that arrive after their ancestor left move to its thread all the same', async () => {
    await start();
    await importMail(workspace, ada, box, [mail(1), mail(3)]);
    await withdrawMail(workspace, box, id(3));
    await importMail(workspace, ada, box, [mail(2), mail(4)]);
    expect(await threadsOf(ada, box)).toMatchObject([{ message_count: 3 }]);
    await importMail(workspace, ada, box, [mail(3)]);
    expect(await threadsOf(ada, box)).toMatchObject([{ message_count: 4 }]);
  });

  longIt('are gone once the work that was cut off has run again', { timeout: 300_000 }, async () => {
    for (let call = 1, cut = true; cut; call += STRIDE) {
      await start();
      await importMail(workspace, ada, box, [mail(1), mail(2), mail(3)]);
      await importMail(workspace, grace, other, [mail(2, { cc: 'grace@acme.example' })]);
      const crash = crashAfter(workspace.table, call);
      await withdrawMail(workspace, box, id(2), id(3)).catch(() => undefined);
      crash.remove();
      cut = crash.hit;
      await withdrawMail(workspace, box, id(2), id(3));
      expect([call, await threadsOf(ada, box)]).toMatchObject([
        call,
        [{ message_count: 1, snippet: 'Text 1.' }],
      ]);
      const [{ id: thread_id } = { id: '' }] = await threadsOf(ada, box);
      const thread = await workspace.table.get<Thread>(keys.record('threads', thread_id));
      expect(thread?.mailbox_ids).toContain(box);
    }
  });

  longIt('end as the last of both says when they leave and arrive at once', async () => {
    await start();
    await importMail(workspace, ada, box, [mail(1), mail(2), mail(3)]);
    for (let round = 0; round < 4; round++) {
      await Promise.all([
        withdrawMail(workspace, box, id(2), id(3)),
        importMail(workspace, ada, box, [mail(2), mail(3), mail(4)]),
      ]);
      const [thread] = await threadsOf(ada, box);
      const texts = await textsOf(ada, thread?.id as string);
      expect(thread?.message_count).toBe(texts?.length);
      expect(texts).toEqual(expect.arrayContaining(['Text 1.', 'Text 4.']));
      await withdrawMail(workspace, box, id(2), id(3), id(4));
      expect(await threadsOf(ada, box)).toMatchObject([{ message_count: 1 }]);
    }
  });
});
