import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDraft, draftsOf, messagesBySnippet, outbound, readDraft } from '../../support/drafts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { withFiles } from '../../support/mail-files.ts';
import { giveMailbox } from '../../support/mailbox-access.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

type Message = Awaited<ReturnType<typeof messagesBySnippet>> extends Map<string, infer M> ? M : never;

describe('POST /drafts', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let hank: TestUser;
  let mailbox_id: string;
  let messages: Map<string, Message>;

  const message = (snippet: string) => {
    const found = messages.get(snippet);
    if (!found) throw new Error(`No message begins with ${snippet}`);
    return found;
  };
  const answer = (snippet: string, draft: object = {}, user = ada) =>
    createDraft(user, { in_reply_to_message_id: message(snippet).id, ...draft });
  const post = (draft: object, user = ada) => user.api.createDraft({ body: { draft } as never });

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace, linus, hank } = workspace);
    mailbox_id = await givenMailbox(workspace, ada);
    await outbound(workspace.table, workspace.account_id, mailbox_id, {
      aliases: ['lovelace@acme.example'],
    });
    await importMail(workspace, ada, mailbox_id, [
      eml({ id: 'first@x', subject: 'Winter', text: 'First.' }),
      eml({
        id: 'second@x',
        subject: 'Re: Winter',
        to: 'Ada <ada@acme.example>, Bo <bo@ferries.example>',
        cc: 'lovelace@acme.example, cy@ferries.example, bo@ferries.example',
        in_reply_to: 'first@x',
        references: ['first@x'],
        headers: ['Reply-To: Desk <desk@ferries.example>', 'Content-Type: text/plain; charset=utf-8'],
        text: 'Second.\r\n\r\n> First.',
      }),
      eml({ id: 'own@x', from: 'Ada <ada@acme.example>', to: 'zoe@x.example', subject: 'Own', text: 'Own.' }),
      eml({ id: 'none@x', text: 'No subject.' }),
      eml({
        id: 'parts@x',
        subject: 'Parts',
        ...withFiles('<p>See <img src="cid:plan"> it</p>', [
          { name: 'offer.pdf', type: 'application/pdf', content: '%PDF-1.4 offer' },
        ]),
      }),
    ]);
    messages = await messagesBySnippet(ada);
  });
  afterAll(() => workspace.stop());

  it('201: what was sent, of the key’s user; the HTML follows from the text', async () => {
    const { status, body } = await post({
      mailbox_id: mailbox_id.toUpperCase(),
      from_email_address: ' Lovelace@acme.example',
      to_email_addresses: ['Priya@Ferries.example', 'priya@ferries.example'],
      cc_email_addresses: ['cy@münchen.example'],
      bcc_email_addresses: ['hidden@x.example'],
      subject: ' Winter ',
      body: 'We come.\r\n\r\n  <at noon>',
    });
    expect(status).toBe(201);
    expect(body.draft).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: ada.user.id,
      status: 'draft',
      thread_id: null,
      in_reply_to_message_id: null,
      kind: 'new',
      mailbox_id,
      from_email_address: 'lovelace@acme.example',
      to_email_addresses: ['priya@ferries.example'],
      cc_email_addresses: ['cy@münchen.example'],
      bcc_email_addresses: ['hidden@x.example'],
      subject: 'Winter',
      body: 'We come.\n\n  <at noon>',
      body_html: '<div>We come.<br /><br />\u00a0\u00a0&lt;at noon&gt;</div>',
      rfc_id: null,
      attachments: [],
      ...{ send_at: null, sent_at: null, last_error: null, attempts: 0, delivery: null, proposal_id: null },
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    });
    expect(await readDraft(ada, body.draft.id)).toEqual(body.draft);
  });

  it('201: only the mailbox is needed, which may have no server', async () => {
    const plain = await givenMailbox(workspace, linus);
    const draft = await createDraft(linus, { mailbox_id: plain, shape: 'round' });
    expect(draft).toMatchObject({ to_email_addresses: [], subject: null, body: null, body_html: null });
  });

  it('sanitizes HTML, and the text follows from it; both are kept when both are sent', async () => {
    const body_html = '<p onclick="x()">Hello <b>you</b></p><script>alert(1)</script>';
    const from = await createDraft(ada, { mailbox_id, body_html });
    expect(from).toMatchObject({ body: 'Hello you', body_html: '<div><p>Hello <b>you</b></p></div>' });
    const both = await createDraft(ada, { mailbox_id, body_html: '<p>A</p>', body: 'B' });
    expect(both).toMatchObject({ body: 'B', body_html: '<div><p>A</p></div>' });
  });

  it('answers: Reply-To, "Re: " once, the conversation, the quote', async () => {
    const first = await answer('First.', { body: 'Thanks.' });
    expect(first).toMatchObject({
      kind: 'reply',
      mailbox_id,
      thread_id: message('First.').thread_id,
      to_email_addresses: ['priya@ferries.example'],
      cc_email_addresses: [],
      subject: 'Re: Winter',
      body: 'Thanks.\n\nOn Mon, 2 Nov 2026 at 10:00, Priya <priya@ferries.example> wrote:\n\n> First.',
    });
    expect(first.body_html).toContain('<blockquote type="cite">First.</blockquote>');
    const second = await answer('Second.');
    expect(second).toMatchObject({ to_email_addresses: ['desk@ferries.example'], subject: 'Re: Winter' });
    expect(second.body).toContain('\n> Second.\n>\n>> First.');
    expect((await answer('No subject.')).subject).toBe('Re:');
  });

  it('answers to where its own copy says, whatever copies of colleagues say', async () => {
    const mail = { id: 'offer@x', subject: 'Offer', text: 'Offer.' };
    const graces = await givenMailbox(workspace, grace);
    const forged = eml({ ...mail, headers: ['Reply-To: grace@x.example'] });
    await importMail(workspace, grace, graces, [forged]);
    await importMail(workspace, ada, mailbox_id, [eml(mail)]);
    const to = async (user: TestUser) => {
      const id = (await messagesBySnippet(user)).get('Offer.')?.id;
      const own = user === ada ? mailbox_id : graces;
      return (await createDraft(user, { in_reply_to_message_id: id, mailbox_id: own })).to_email_addresses;
    };
    expect(await to(ada)).toEqual(['priya@ferries.example']);
    expect(await to(grace)).toEqual(['grace@x.example']);
  });

  it('answers all, without the own addresses and aliases; an own mail goes where it went', async () => {
    expect(await answer('Second.', { kind: 'reply_all' })).toMatchObject({
      to_email_addresses: ['desk@ferries.example', 'bo@ferries.example'],
      cc_email_addresses: ['cy@ferries.example'],
    });
    expect((await answer('Own.')).to_email_addresses).toEqual(['zoe@x.example']);
    expect((await answer('Own.', { kind: 'reply_all' })).to_email_addresses).toEqual(['zoe@x.example']);
  });

  longIt('leaves out a quote that does not compress, so that every mail can be answered', async () => {
    const signs = (count: number) =>
      String.fromCodePoint(
        ...Array.from({ length: count }, () => 0x4e00 + Math.floor(Math.random() * 20_000)),
      );
    const lines = Array.from({ length: 3_000 }, () => signs(60));
    const headers = ['Content-Type: text/plain; charset=utf-8'];
    const text = ['Long.', '', ...lines].join('\r\n');
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'long@x', subject: 'Long', headers, text })]);
    const all = [...(await messagesBySnippet(ada)).values()];
    const id = all.find(({ snippet }) => snippet?.startsWith('Long.'))?.id;
    for (const kind of ['reply', 'forward'])
      expect(await createDraft(ada, { in_reply_to_message_id: id, kind, body: 'Yes.' })).toMatchObject({
        body: 'Yes.',
        body_html: '<div>Yes.</div>',
      });
  });

  it('keeps recipients and a subject that are sent', async () => {
    const sent = { to_email_addresses: ['else@x.example'], subject: null, kind: 'reply_all' };
    expect(await answer('Second.', sent)).toMatchObject({
      to_email_addresses: ['else@x.example'],
      cc_email_addresses: [],
      subject: null,
    });
    const cc = { cc_email_addresses: ['else@x.example'], kind: 'reply_all' };
    expect(await answer('Second.', cc)).toMatchObject({
      to_email_addresses: ['desk@ferries.example', 'bo@ferries.example'],
      cc_email_addresses: ['else@x.example'],
    });
  });

  it('forwards with the attachments, to nobody yet, outside of the thread', async () => {
    const id = [...messages.values()].find(({ attachments }) => (attachments ?? []).length > 0)?.id;
    const draft = await createDraft(ada, { in_reply_to_message_id: id, kind: 'forward', body: 'Look.' });
    expect(draft).toMatchObject({
      thread_id: null,
      to_email_addresses: [],
      subject: 'Fwd: Parts',
      in_reply_to_message_id: id,
    });
    expect(draft.body).toContain('Look.\n\n---------- Forwarded message ---------\nFrom: Priya <priya@');
    expect(draft.attachments.map(({ file }) => file?.file_name)).toEqual(['offer.pdf']);
    const answered = await createDraft(ada, { in_reply_to_message_id: id, kind: 'reply' });
    expect(answered.attachments).toEqual([]);
  });

  longIt('shows the pictures of a mail in its quote, whatever ids its sender gave them', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `${i}$\`$&"&<x`.replaceAll('<', i % 2 ? '' : "'"));
    const picture = (content_id: string) => ({
      ...{ name: 'plan.png', type: 'image/png', content: `a picture ${content_id}`, content_id },
    });
    const shown = ids.map((id) => `<img src="cid:${encodeURIComponent(id)}">`).join('');
    const mail = withFiles(`<p>Many</p>${shown}`, ids.map(picture));
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'many@x', subject: 'Many', ...mail })]);
    const many = (await messagesBySnippet(ada)).get('Many');
    for (const kind of ['reply', 'forward']) {
      const draft = await createDraft(ada, { in_reply_to_message_id: many?.id, kind });
      expect(draft.attachments.map(({ content_id, inline }) => [content_id, inline])).toEqual(
        ids.map((id) => [id, true]),
      );
      expect(draft.body_html?.match(/<img src="cid:/g)).toHaveLength(ids.length);
    }
  });

  it('is of its user alone: colleagues with the mailbox do not see it', async () => {
    await giveMailbox(workspace, grace, mailbox_id, 'edit');
    const { id } = await createDraft(ada, { mailbox_id, subject: 'Secret' });
    for (const user of [grace, linus, hank]) {
      expect(await codeOf(readDraft(user, id).then((draft) => ({ status: 200, draft })))).toBe(
        '404 record_not_found',
      );
      expect((await draftsOf(user)).map((draft) => draft.id)).not.toContain(id);
    }
    expect((await createDraft(grace, { mailbox_id })).user_id).toBe(grace.user.id);
  });

  it('403 with access to look at the mailbox; 404 without, and for messages that are hidden', async () => {
    await giveMailbox(workspace, linus, mailbox_id, 'view');
    expect(await codeOf(post({ mailbox_id }, linus))).toBe('403 permission_denied');
    expect(await codeOf(post({ mailbox_id }, hank))).toBe('404 record_not_found');
    expect(await codeOf(post({ mailbox_id: randomUUID() }))).toBe('404 record_not_found');
    const own = await givenMailbox(workspace, hank, hank.user.account_id);
    const in_reply_to_message_id = message('First.').id;
    expect(await codeOf(post({ mailbox_id: own, in_reply_to_message_id }, hank))).toBe(
      '404 record_not_found',
    );
    expect(await codeOf(post({ mailbox_id, in_reply_to_message_id: randomUUID() }))).toBe(
      '404 record_not_found',
    );
    // May read the message, but not send from where it came.
    expect(await problemsOf(post({ in_reply_to_message_id }, linus))).toEqual({ mailbox_id: 'required' });
  });

  const line = { invalid: 'a\r\nBcc: x@x.example' };
  it.each<[string, object, Record<string, string>]>([
    ['no mailbox', { mailbox_id: undefined }, { mailbox_id: 'required' }],
    ['an answer to nothing', { kind: 'reply' }, { in_reply_to_message_id: 'required' }],
    ['an unknown kind', { kind: 'answer' }, { kind: 'invalid' }],
    ['a foreign From', { from_email_address: 'grace@acme.example' }, { from_email_address: 'invalid' }],
    ['a line end in a subject', { subject: line.invalid }, { subject: 'invalid_format' }],
    ['a line end behind a subject', { subject: 'a\r\n' }, { subject: 'invalid_format' }],
    ['NUL in a subject', { subject: 'a\0b' }, { subject: 'invalid_format' }],
    ['a subject of 998', { subject: 'a'.repeat(998) }, { subject: 'too_long' }],
    [
      'a line end in an address',
      { to_email_addresses: ['a@x.example\r\nBcc: b@x.example'] },
      { 'to_email_addresses.0': 'invalid_format' },
    ],
    [
      'a line end behind an address',
      { bcc_email_addresses: ['a@x.example\n'] },
      { 'bcc_email_addresses.0': 'invalid_format' },
    ],
    [
      'a name in an address',
      { cc_email_addresses: ['Ada <a@x.example>'] },
      { 'cc_email_addresses.0': 'invalid_format' },
    ],
    [
      'letters before the @',
      { to_email_addresses: ['jürgen@x.example'] },
      { 'to_email_addresses.0': 'invalid_format' },
    ],
    ['null for recipients', { to_email_addresses: null }, { to_email_addresses: 'invalid' }],
    [
      '501 recipients in one list',
      { to_email_addresses: Array.from({ length: 501 }, (_, i) => `a${i}@x.example`) },
      { to_email_addresses: 'too_long' },
    ],
    [
      '501 recipients in all',
      {
        to_email_addresses: Array.from({ length: 300 }, (_, i) => `a${i}@x.example`),
        bcc_email_addresses: Array.from({ length: 201 }, (_, i) => `b${i}@x.example`),
      },
      { bcc_email_addresses: 'too_long' },
    ],
    ['a long text', { body: 'a'.repeat(200_001) }, { body: 'too_long' }],
    ['NUL in a text', { body_html: '<p>\0</p>' }, { body_html: 'invalid_format' }],
    [
      'text that does not compress',
      {
        body: Array.from({ length: 200_000 }, () =>
          String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000)),
        ).join(''),
      },
      { body_html: 'too_long' },
    ],
    [
      'what the service sets',
      { id: 'x', status: 'sent', rfc_id: 'x', send_at: null, attachments: [], attempts: 0, thread_id: null },
      {
        ...{ id: 'not_allowed', status: 'not_allowed', rfc_id: 'not_allowed', send_at: 'not_allowed' },
        ...{ attachments: 'not_allowed', attempts: 'not_allowed', thread_id: 'not_allowed' },
      },
    ],
  ])('400: %s', async (_, sent, problems) => {
    const before = await draftsOf(ada);
    expect(await problemsOf(post({ mailbox_id, ...sent }))).toEqual(problems);
    expect(await draftsOf(ada)).toEqual(before);
  });

  it('400: a new mail that names a message', async () => {
    const sent = { kind: 'new', in_reply_to_message_id: message('First.').id };
    expect(await problemsOf(post({ mailbox_id, ...sent }))).toEqual({ kind: 'invalid' });
  });

  it('takes 500 recipients', async () => {
    const to_email_addresses = Array.from({ length: 500 }, (_, i) =>
      `${'a'.repeat(200)}${i}@x.example`.slice(-64),
    );
    expect((await createDraft(ada, { mailbox_id, to_email_addresses })).to_email_addresses).toHaveLength(500);
  });
});
