import { randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { bearer, errorText, type RawResponse, raw } from '../../support/raw.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const PIXELS =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const html = `<p>See <b>this</b>:</p><img src="cid:chart@x"><img src="cid:unknown@x"><script>alert(1)</script>
<div class="gmail_quote"><div class="gmail_attr">On Mon, 2 Nov 2026 at 10:00, Priya &lt;priya@ferries.example&gt; wrote:<br></div>
<blockquote class="gmail_quote">The winch squeaks.</blockquote></div>`;

const related = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=outer'];

const parts = (body: string) => `--outer
Content-Type: multipart/related; boundary=inner

--inner
Content-Type: text/html; charset=utf-8

${body}
--inner
Content-Type: image/png; name=chart.png
Content-ID: <chart@x>
Content-Disposition: inline; filename=chart.png
Content-Transfer-Encoding: base64

${PIXELS}
--inner--
--outer
Content-Type: application/pdf; name="../../etc/offer.pdf"
Content-Disposition: attachment; filename="../../etc/offer.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--outer--`;

describe('GET /threads/{id}', () => {
  let workspace: Workspace;
  let id: string;
  const retrieve = async (user: 'ada' | 'grace' = 'ada') =>
    (await workspace[user].reader.retrieveThread({ params: { id } })).body.thread;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const ada = await givenMailbox(workspace, workspace.ada);
    const grace = await givenMailbox(workspace, workspace.grace);
    const first = eml({
      id: 'winch-1@x',
      subject: 'Winch',
      text: 'The winch squeaks.',
      cc: 'grace@acme.example',
    });
    await importMail(workspace, workspace.grace, grace, [first]);
    await importMail(workspace, workspace.ada, ada, [
      eml({
        id: 'winch-2@x',
        subject: 'Re: Winch',
        in_reply_to: 'winch-1@x',
        from: 'Ada Lovelace <ada@acme.example>',
        to: 'Priya <PRIYA@ferries.example>, "Lost, Bob" <bob@ferries.example>',
        cc: 'grace@acme.example',
        date: 'Mon, 02 Nov 2026 12:30:00 +0200',
        headers: [...related, 'Bcc: hidden@ferries.example'],
        text: parts(html),
      }),
      first,
    ]);
    const { body } = await workspace.ada.reader.listThreads();
    id = body.collection.records[0]?.id as string;
  });
  afterAll(() => workspace?.stop());

  it('fills messages, oldest first, with addresses and times', async () => {
    const { messages } = await retrieve();
    expect(messages?.map((message) => message.sent_at)).toEqual([
      '2026-11-02T10:00:00.000Z',
      '2026-11-02T10:30:00.000Z',
    ]);
    expect(messages?.[1]).toMatchObject({
      from_email_address: 'ada@acme.example',
      to_email_addresses: ['priya@ferries.example', 'bob@ferries.example'],
      cc_email_addresses: ['grace@acme.example'],
      participant_email_addresses: [
        'ada@acme.example',
        'priya@ferries.example',
        'bob@ferries.example',
        'grace@acme.example',
      ],
      summary: null,
      delivery: null,
    });
  });

  it('never shows a hidden copy', async () => {
    expect(JSON.stringify(await retrieve())).not.toContain('hidden@ferries.example');
  });

  it('splits the body at the quote header', async () => {
    const body = (await retrieve()).messages?.[1]?.body;
    expect(body).toMatchObject({ source_format: 'html', has_quote_header: true, truncated: false });
    expect(body?.new_html).toContain('<b>this</b>');
    expect(body?.new_html).not.toContain('squeaks');
    expect(body?.quoted_html).toContain('squeaks');
    expect(body?.new_plain_text).toContain('See this');
    expect(body?.quoted_plain_text).toContain('squeaks');
  });

  it('removes unsafe markup', async () => {
    const body = (await retrieve()).messages?.[1]?.body;
    expect(body?.sanitized_html).not.toMatch(/script|alert/);
  });

  it('points cid images to the download of their attachment and leaves others', async () => {
    const message = (await retrieve()).messages?.[1];
    const chart = message?.attachments?.find((attachment) => attachment.content_id === 'chart@x');
    const src = `/files/${chart?.file_id}/download?attachment_id=${chart?.id}`;
    expect(message?.body?.sanitized_html).toContain(`src="${src}"`);
    expect(message?.body?.new_html).toContain(`src="${src}"`);
    expect(message?.body?.sanitized_html).toContain('src="cid:unknown@x"');
  });

  it('describes attachments, with safe names', async () => {
    const attachments = (await retrieve()).messages?.[1]?.attachments ?? [];
    expect(attachments).toHaveLength(2);
    const offer = attachments.find((attachment) => attachment.content_type === 'application/pdf');
    expect(offer).toMatchObject({ size: 9, inline: false, content_id: null, decorative: false });
    expect(offer?.file).toMatchObject({ extension: 'pdf', description: null, id: offer?.file_id });
    expect(offer?.file?.file_name).toMatch(/^[^/\\]*offer\.pdf$/);
    expect(attachments.find((attachment) => attachment.content_id)).toMatchObject({ inline: true });
  });

  it('has null HTML for plain text', async () => {
    expect((await retrieve()).messages?.[0]?.body).toMatchObject({
      source_format: 'plain',
      sanitized_html: null,
      new_html: null,
      quoted_html: null,
      has_quote_header: false,
      new_plain_text: 'The winch squeaks.',
    });
  });

  it('does not change read', async () => {
    expect((await retrieve()).read).toBe(false);
    expect((await retrieve()).read).toBe(false);
  });

  it('omits messages that reached only mailboxes the user cannot access', async () => {
    const thread = await retrieve('grace');
    expect(thread.message_count).toBe(1);
    expect(thread.messages).toHaveLength(1);
    expect(thread.messages?.[0]?.from_email_address).toBe('priya@ferries.example');
  });

  longIt('fills comments, tags, tasks and pending messages', async () => {
    const params = { record_type: 'threads' as const, record_id: id };
    await workspace.ada.api.createComment({
      params,
      body: { comment: { html_content: '<p>Call them.</p>' } },
    });
    await workspace.ada.api.applyTag({ params, body: { tag: { name: 'Ferries' } } });
    const thread = await retrieve('grace');
    expect(thread.comments).toMatchObject([{ html_content: '<p>Call them.</p>', thread_id: id }]);
    expect(thread.tags).toMatchObject([{ name: 'Ferries', thread_count: null }]);
    expect(thread).toMatchObject({ tasks: [], pending_messages: [], shares: [] });
  });

  longIt(
    'is the same 404 for users without access, other accounts, random ids and malformed ids',
    async () => {
      const responses = await Promise.all([
        ...[workspace.linus, workspace.hank].map((user) => get(id, user.read_key)),
        get('0198c0de-0000-7000-8000-000000000001', workspace.ada.read_key),
        get('not-a-uuid', workspace.ada.read_key),
      ]);
      for (const response of responses) {
        expect([response.status, response.json.error?.code]).toEqual([404, 'record_not_found']);
        expect(errorText(response)).toBe(errorText(responses[0] as RawResponse));
      }
    },
  );

  it('takes the id in upper case', async () => {
    const { body } = await workspace.ada.reader.retrieveThread({ params: { id: id.toUpperCase() } });
    expect(body.thread.id).toBe(id);
  });

  const get = (thread: string, key: string) =>
    raw(workspace.url, { path: `/threads/${thread}`, headers: [bearer(key)] });
});

describe('bodies that are too large for one response', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  longIt('returns the newest in full, and the beginnings of the others', async () => {
    const mailbox = await givenMailbox(workspace, workspace.ada);
    const paragraph = `<p>${'Ünïcode wörds. '.repeat(60)}</p>`;
    const mail = Array.from({ length: 13 }, (_, i) =>
      eml({
        id: `big-${i}@x`,
        subject: 'Big',
        ...(i > 0 ? { in_reply_to: `big-${i - 1}@x` } : {}),
        date: `Mon, 02 Nov 2026 10:${10 + i}:00 +0000`,
        headers: ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: 8bit'],
        text: paragraph.repeat(450),
      }),
    );
    expect(await importMail(workspace, workspace.ada, mailbox, mail)).toMatchObject({
      messages_imported: 13,
    });
    const id = (await workspace.ada.reader.listThreads()).body.collection.records[0]?.id as string;
    const response = await fetch(`${workspace.url}/threads/${id}`, {
      headers: { Authorization: `Bearer ${workspace.ada.read_key}` },
    });
    const text = await response.text();
    expect(Buffer.byteLength(text)).toBeLessThan(17 * 1024 * 1024);
    const bodies = JSON.parse(text).thread.messages.map(
      (message: { body: { truncated: boolean; new_html: string } }) => message.body,
    );
    expect(bodies.at(-1)).toMatchObject({ truncated: false });
    const cut = bodies.filter(({ truncated }: { truncated: boolean }) => truncated);
    expect(cut.length).toBeGreaterThan(1);
    expect(bodies.slice(0, cut.length)).toEqual(cut);
    expect(cut.at(-1).new_html).toMatch(/^<p>.*<\/p>$/s);
    expect(cut[0]).toMatchObject({
      new_html: null,
      new_plain_text: expect.stringMatching(/^Ünïcode wörds\./),
    });
  });

  it('returns 502 while the storage of large bodies does not respond', async () => {
    const mailbox = await givenMailbox(workspace, workspace.ada);
    const text = randomBytes(60_000)
      .toString('hex')
      .replaceAll(/(.{76})/g, '$1\r\n');
    await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'random@x', text })]);
    const { body } = await workspace.ada.reader.listThreads({ query: { mailbox_id: mailbox } });
    const retrieve = () =>
      workspace.ada.reader.retrieveThread({ params: { id: body.collection.records[0]?.id as string } });
    const storage = mockClient(S3Client).rejects(new Error('no route to host'));
    await expect(retrieve()).rejects.toMatchObject({ status: 502, code: 'storage_unavailable' });
    storage.restore();
    expect((await retrieve()).body.thread.messages?.[0]?.body?.new_plain_text).toHaveLength(
      text.length - text.split('\r\n').length + 1,
    );
  });
});
