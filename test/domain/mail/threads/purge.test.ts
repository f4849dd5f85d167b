import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { messagesWithId } from '#shared/domain/mail/threads/message-ids.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { allPostings, findState } from '#shared/domain/platform/text-index/store.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from '../../../support/faults.ts';
import { longIt, STRIDE } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { doWhatIsDue } from '../../../support/purged.ts';
import { withdrawMail } from '../../../support/withdrawn.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const NOT_FOUND = { code: 'record_not_found' };
const DAY = 86_400_000;
const on = (record_id: string) => ({ params: { record_type: 'threads' as const, record_id } });
const at = (minute: number) => `Mon, 02 Nov 2026 10:0${minute}:00 +0000`;

describe('mail that left its mailboxes 30 days ago', { timeout: 120_000 }, () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let [box, other, run] = ['', '', 0];
  let start = Date.parse('2026-12-01T10:20:00Z');

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace?.stop());

  /** Mailboxes and a time of their own. */
  const begin = async () => {
    run++;
    start += 100 * DAY;
    workspace.setTime(new Date(start));
    box = await givenMailbox(workspace, ada);
    other = await givenMailbox(workspace, grace);
  };
  const onDay = async (day: number) => {
    workspace.setTime(new Date(start + day * DAY));
    await doWhatIsDue(workspace);
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
  const plan = () => withFiles('<p>With a plan.</p>', [{ name: `plan${run}.pdf`, content: `plan ${run}` }]);
  const large = () => withFiles(`<p>${'Ä word and more. '.repeat(9_000)}${Math.random()}</p>`, []);
  const threadsOf = (user: TestUser, mailbox_id: string) => listAllThreads(user.reader, { mailbox_id });
  const textsOf = async (user: TestUser, thread_id: string) => {
    const { thread } = (await user.reader.retrieveThread({ params: { id: thread_id } })).body;
    return thread.messages?.map((message) => message.body?.new_plain_text?.trim());
  };
  const rowsOf = (n: number) => messagesWithId(workspace.table, workspace.account_id, hashOfId(id(n)), box);
  const onlyThread = async () => (await threadsOf(ada, box))[0]?.id as string;
  const fileOf = async (thread_id: string, n = 0) => {
    const { thread } = (await ada.reader.retrieveThread({ params: { id: thread_id } })).body;
    return thread.messages?.[n]?.attachments?.[0] as { id: string; file_id: string };
  };
  const isStored = async (key: string) => (await bucketOf(workspace.ctx).size(key)) !== undefined;
  const rawOf = (message_id: string) => objectKeys.rawMail(workspace.account_id, message_id);
  const bytesOf = (file_id: string) => objectKeys.file(workspace.account_id, file_id);

  it('comes back whole on day 29', async () => {
    await begin();
    await importMail(workspace, ada, box, [mail(1), mail(2, plan())]);
    const thread_id = await onlyThread();
    const before = await fileOf(thread_id, 1);
    await withdrawMail(workspace, box, id(2));
    await onDay(29);
    await importMail(workspace, ada, box, [mail(2, plan())]);
    await onDay(31);
    expect(await textsOf(ada, thread_id)).toEqual(['Text 1.', 'With a plan.']);
    expect(await fileOf(thread_id, 1)).toEqual(before);
    expect(await isStored(bytesOf(before.file_id))).toBe(true);
  });

  longIt('arrives as new on day 31', async () => {
    await begin();
    await importMail(workspace, ada, box, [mail(1), mail(2, plan())]);
    const thread_id = await onlyThread();
    const before = await fileOf(thread_id, 1);
    await withdrawMail(workspace, box, id(2));
    await onDay(31);
    const [row] = await rowsOf(2);
    expect(row).toMatchObject({ purged: true, thread_id });
    expect(await isStored(rawOf(row?.message_id as string))).toBe(false);
    expect(await workspace.table.get(keys.attachment(before.id))).toBeUndefined();
    await onDay(33);
    expect(await isStored(bytesOf(before.file_id))).toBe(false);
    await importMail(workspace, ada, box, [mail(2, plan())]);
    expect(await threadsOf(ada, box)).toMatchObject([{ id: thread_id, message_count: 2, read: false }]);
    expect(await textsOf(ada, thread_id)).toEqual(['Text 1.', 'With a plan.']);
    const after = await fileOf(thread_id, 1);
    expect(after.id).not.toBe(before.id);
    expect((await ada.reader.createPresignedUrl({ params: { id: after.id } })).status).toBe(200);
    await onDay(35);
    expect(await isStored(bytesOf(after.file_id))).toBe(true);
  });

  longIt('leaves nothing of what people wrote, and holds its conversation together', async () => {
    await begin();
    const written = { from: 'Olu <olu@secret.example>', cc: 'kei@secret.example', ...large() };
    await importMail(workspace, ada, box, [mail(1), mail(2, written), mail(3)]);
    const textIndex = { timeIsUp: () => false, enough: 1 };
    await sortIndex(workspace.ctx, box, textIndex);
    const thread_id = await onlyThread();
    const [{ message_id } = { message_id: '' }] = await rowsOf(2);
    const body = objectKeys.body(workspace.account_id, message_id);
    await withdrawMail(workspace, box, id(2), id(3));
    await onDay(31);
    const [, trace] = await messagesOf(workspace.table, thread_id);
    expect(JSON.stringify(trace)).not.toMatch(/secret|winch/i);
    expect(await workspace.table.get(keys.body(thread_id, message_id))).toBeUndefined();
    expect(await isStored(body)).toBe(false);
    const words = [];
    for (const { id } of (await findState(workspace.table, box))?.segments ?? [])
      for await (const { word } of allPostings(workspace.table, box, id)) words.push(word);
    expect(words).toContain('winch'.concat(String(run)));
    expect(words).not.toContain('secret');
    await importMail(workspace, ada, box, [mail(4), mail(5, { in_reply_to: id(2) })]);
    expect(await threadsOf(ada, box)).toMatchObject([{ id: thread_id, message_count: 3 }]);
  });

  longIt('keeps what another mailbox has, and files that others use', async () => {
    await begin();
    const linked = withFiles('<p>Linked.</p>', [{ name: 'deal.pdf', content: `deal ${run}` }]);
    await importMail(workspace, ada, box, [mail(1, plan()), mail(2, linked), mail(3, plan())]);
    await importMail(workspace, grace, other, [mail(1, plan())]);
    const thread_id = await onlyThread();
    const [both, own] = [await fileOf(thread_id), await fileOf(thread_id, 1)];
    const contact = (await ada.api.createContact({ body: { contact: { name: 'Olu' } } })).body.contact;
    await ada.api.updateFile({ params: { id: own.file_id }, body: { file: { contact_ids: [contact.id] } } });
    await withdrawMail(workspace, box, id(1), id(2), id(3));
    await onDay(31);
    await onDay(33);
    expect((await rowsOf(1)).map(({ purged }) => purged)).toEqual([undefined]);
    expect((await rowsOf(2)).map(({ purged }) => purged)).toEqual([true]);
    const [seen] = await threadsOf(grace, other);
    expect(await textsOf(grace, seen?.id as string)).toEqual(['With a plan.']);
    expect(await isStored(bytesOf(both.file_id))).toBe(true);
    expect(await isStored(bytesOf(own.file_id))).toBe(true);
    expect((await ada.reader.retrieveFile({ params: { id: own.file_id } })).body.file.name).toBe('deal.pdf');
  });

  longIt('takes comments, tags and shares of a thread with it that has no other mail', async () => {
    await begin();
    await importMail(workspace, ada, box, [mail(1), mail(2)]);
    const thread_id = await onlyThread();
    await ada.api.createComment({ ...on(thread_id), body: { comment: { html_content: 'Mine.' } } });
    await ada.api.createShare({ ...on(thread_id), body: { share: { user_id: grace.user.id } } });
    const { tagging } = (await ada.api.applyTag({ ...on(thread_id), body: { tag: { name: `Tag ${run}` } } }))
      .body;
    await withdrawMail(workspace, box, id(1));
    await onDay(1);
    await withdrawMail(workspace, box, id(2));
    await onDay(30.5);
    await importMail(workspace, ada, box, [mail(2)]);
    expect((await ada.reader.listComments(on(thread_id))).body.comments).toHaveLength(1);
    await withdrawMail(workspace, box, id(2));
    await onDay(61);
    await importMail(workspace, ada, box, [mail(2)]);
    expect(await threadsOf(ada, box)).toMatchObject([{ id: thread_id, message_count: 1, read: false }]);
    const { thread } = (await ada.reader.retrieveThread({ params: { id: thread_id } })).body;
    expect(thread).toMatchObject({ comments: [], tags: [], shares: [] });
    await expect(grace.reader.retrieveThread({ params: { id: thread_id } })).rejects.toMatchObject(NOT_FOUND);
    const { tag } = (await ada.reader.retrieveTag({ params: { id: tagging.tag_id } })).body;
    expect(tag.thread_count).toBe(0);
  });

  longIt('is gone once the work that was cut off has run again', { timeout: 300_000 }, async () => {
    for (let call = 1, cut = true; cut; call += STRIDE) {
      await begin();
      await importMail(workspace, ada, box, [mail(1, plan()), mail(2)]);
      const thread_id = await onlyThread();
      const { file_id } = await fileOf(thread_id);
      await ada.api.createComment({ ...on(thread_id), body: { comment: { html_content: 'Mine.' } } });
      await withdrawMail(workspace, box, id(1), id(2));
      workspace.setTime(new Date(start + 31 * DAY));
      const crash = crashAfter(workspace.table, call);
      await doWhatIsDue(workspace).catch(() => undefined);
      crash.remove();
      cut = crash.hit;
      for (const day of [31.1, 33]) await onDay(day);
      const rows = [...(await rowsOf(1)), ...(await rowsOf(2))];
      expect([call, rows.map(({ purged }) => purged)]).toEqual([call, [true, true]]);
      for (const { message_id } of rows) expect(await isStored(rawOf(message_id))).toBe(false);
      expect([call, await isStored(bytesOf(file_id))]).toEqual([call, false]);
      await importMail(workspace, ada, box, [mail(1, plan())]);
      const { thread } = (await ada.reader.retrieveThread({ params: { id: thread_id } })).body;
      expect(thread).toMatchObject({ comments: [], message_count: 1 });
    }
  });

  longIt('stays when it comes back while it is purged, and its files with mail that has them', async () => {
    for (let round = 0; round < 2; round++) {
      await begin();
      await importMail(workspace, ada, box, [mail(1, plan())]);
      await withdrawMail(workspace, box, id(1));
      workspace.setTime(new Date(start + 31 * DAY));
      await Promise.all([
        doWhatIsDue(workspace),
        importMail(workspace, ada, box, [mail(1, plan())]),
        importMail(workspace, grace, other, [mail(7, { ...plan(), in_reply_to: undefined as never })]),
      ]);
      for (const day of [32, 34]) await onDay(day);
      const [thread] = await threadsOf(ada, box);
      const { file_id } = await fileOf(thread?.id as string);
      expect(await isStored(bytesOf(file_id))).toBe(true);
      const files = (await grace.reader.listFiles({ query: { query: `plan${run}` } })).body.collection
        .records;
      for (const file of files) expect(await isStored(bytesOf(file.id))).toBe(true);
      expect(files.length).toBeGreaterThan(0);
    }
  });
});
