import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemsOf } from '../../support/failures.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { takeMailbox } from '../../support/mailbox-access.ts';
import { measureTable, splitCost } from '../../support/meter.ts';
import { onThread } from '../../support/shares.ts';
import { threadOf } from '../../support/thread-lists.ts';
import { givenTwoViews } from '../../support/two-views.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** What clients need beyond the fields of the specification: who wrote last, fewer threads, fewer bytes. */

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ mail: true });
});
afterAll(() => workspace?.stop());

describe('who wrote last', () => {
  it('is of the messages that each user sees, in lists, open threads and alone', async () => {
    const { ada, grace, linus } = workspace;
    const { id, first } = await givenTwoViews(workspace, ada, grace);
    const lastOf = async (user: typeof ada) => {
      const { thread } = (await user.reader.retrieveThread({ params: { id } })).body;
      const listed = (await listAllThreads(user.reader)).find((each) => each.id === id);
      expect(listed?.last_message).toEqual(thread.last_message);
      expect(thread.messages?.at(-1)?.id).toBe(thread.last_message?.id);
      return thread.last_message;
    };
    const priya = { from_email_address: 'priya@ferries.example', from_name: 'Priya' };
    expect(await lastOf(ada)).toMatchObject({ sent_at: '2026-11-02T10:00:00.000Z', ...priya });
    expect(await lastOf(grace)).toMatchObject({ sent_at: '2026-11-03T10:00:00.000Z', ...priya });
    await ada.api.createShare({ params: onThread(id), body: { share: { user_id: linus.user.id } } });
    expect(await lastOf(linus)).toEqual(await lastOf(ada));
    await takeMailbox(workspace, ada, first.mailbox);
    await expect(ada.reader.retrieveThread({ params: { id } })).rejects.toMatchObject({ status: 404 });
  });

  it('has no name and no address where the mail has none', async () => {
    const mailbox = await givenMailbox(workspace, workspace.ada);
    await importMail(workspace, workspace.ada, mailbox, [
      eml({ id: 'nobody@x', subject: 'Nobody', from: null }),
    ]);
    const { last_message } = await threadOf(workspace.ada.reader, 'Nobody');
    expect(last_message).toMatchObject({ from_email_address: null, from_name: null });
  });
});

describe('participant_list', () => {
  it('is one record for each participant, with the contact that the caller sees', async () => {
    const { ada, grace } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    const mail = eml({ id: 'list@x', subject: 'List', from: 'Moira <moira@bellwether.example>' });
    await importMail(workspace, ada, mailbox, [mail]);
    const email_addresses = [{ email_address: 'moira@bellwether.example' }];
    const contact = { name: 'Hidden', visibility: 'private' as const, email_addresses };
    await grace.api.createContact({ body: { contact } });
    const moira = async () =>
      (await threadOf(ada.reader, 'List')).participant_list.find(({ name }) => name === 'Moira');
    expect(await moira()).toEqual({
      email_address: 'moira@bellwether.example',
      name: 'Moira',
      contact: null,
    });
    const known = (await ada.api.createContact({ body: { contact: { name: 'Moira B.', email_addresses } } }))
      .body.contact;
    expect((await moira())?.contact).toEqual({ id: known.id, name: 'Moira B.' });
  });
});

describe('limit', () => {
  beforeAll(async () => {
    const { linus } = workspace;
    const mailbox = await givenMailbox(workspace, linus);
    const mail = Array.from({ length: 7 }, (_, i) =>
      eml({ id: `limit-${i}@x`, subject: `Limit ${i}`, date: `Mon, 02 Nov 2026 10:0${i}:00 +0000` }),
    );
    await importMail(workspace, linus, mailbox, mail);
  });

  it.each(['inbox', undefined])('gives pages of the slice %s with every thread once', async (slice) => {
    const { linus } = workspace;
    const sliced: Record<string, string> = slice ? { slice } : {};
    const all = await listAllThreads(linus.reader, sliced);
    const page = async (query: Record<string, string | number>) =>
      (await linus.reader.listThreads({ query: { ...sliced, ...query } })).body.collection;
    const first = await page({ limit: 3 });
    expect(first.records.map(({ id }) => id)).toEqual(all.slice(0, 3).map(({ id }) => id));
    expect(first).toMatchObject({ filters: null, page_info: { limit: 3, has_more_after: true } });
    const found = [...first.records];
    for (let { next_cursor } = first.page_info; next_cursor !== null; ) {
      const next = await page({ limit: 2, next_cursor });
      expect(next.records.length).toBeLessThanOrEqual(2);
      found.push(...next.records);
      next_cursor = next.page_info.next_cursor;
    }
    expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect((await page({ limit: 1_000 })).page_info.limit).toBe(50);
  });

  it.each([
    ['0', 'invalid'],
    ['-1', 'invalid_format'],
    ['ten', 'invalid_format'],
    ['1.5', 'invalid_format'],
  ])('%s is refused', async (limit, code) => {
    const { reader } = workspace.ada;
    expect(await problemsOf(reader.listThreads({ query: { limit } }))).toEqual({ limit: code });
  });
});

describe('GET /threads/{id}?body=', () => {
  let id: string;
  beforeAll(async () => {
    const { ada } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    const html = '<p>See <b>this</b></p><div class="gmail_quote"><blockquote>Earlier</blockquote></div>';
    await importMail(workspace, ada, mailbox, [
      eml({ id: 'body-1@x', subject: 'Bodies', text: 'Plain.' }),
      eml({
        ...{ id: 'body-2@x', subject: 'Bodies', in_reply_to: 'body-1@x', text: html },
        ...{ date: 'Mon, 02 Nov 2026 11:00:00 +0000', headers: ['Content-Type: text/html; charset=utf-8'] },
      }),
    ]);
    id = (await threadOf(ada.reader, 'Bodies')).id;
  });

  const bodies = async (body?: string) => {
    const query = body === undefined ? {} : { body };
    const { thread } = (await workspace.ada.reader.retrieveThread({ params: { id }, query })).body;
    return thread.messages?.map((message) => message.body) ?? [];
  };
  const html = ['sanitized_html', 'new_html', 'quoted_html'] as const;
  const text = ['new_plain_text', 'quoted_plain_text'] as const;
  const pick = (
    body: Awaited<ReturnType<typeof bodies>>[number],
    names: readonly (keyof NonNullable<typeof body>)[],
  ) => names.map((name) => body?.[name]);

  it('text has no HTML, and html no text of mails that have HTML; the rest is the same', async () => {
    const [whole, texts, htmls] = [await bodies(), await bodies('text'), await bodies('html')];
    expect(pick(whole[1] ?? null, [...html, ...text]).slice(0, 2)).not.toContain(null);
    expect(texts[0]).toEqual(whole[0]);
    expect(texts[1]).toEqual({ ...whole[1], sanitized_html: null, new_html: null, quoted_html: null });
    expect(htmls[0]).toEqual(whole[0]);
    expect(htmls[1]).toEqual({ ...whole[1], new_plain_text: null, quoted_plain_text: null });
    expect(pick(texts[1] ?? null, text)[0]).toContain('See this');
  });

  it('none reads no body at all', async () => {
    const cost = async (body?: string) =>
      splitCost(await measureTable(workspace.table, () => bodies(body)), 'read').operation.calls.length;
    expect(await bodies('none')).toEqual([null, null]);
    expect(await cost('none')).toBe((await cost()) - 1);
  });

  it('anything else is refused', async () => {
    const asked = workspace.ada.reader.retrieveThread({ params: { id }, query: { body: 'pdf' } });
    expect(await problemsOf(asked)).toEqual({ body: 'invalid' });
  });
});
