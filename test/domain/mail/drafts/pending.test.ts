import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PendingDraft } from '#shared/domain/mail/drafts/pending.ts';
import { keys } from '#shared/table/keys.ts';
import { claimId } from '../../../support/claimed-ids.ts';
import { createDraft, messagesBySnippet, readDraft } from '../../../support/drafts.ts';
import { longIt } from '../../../support/long.ts';
import { eml, importMail } from '../../../support/mail.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import { runSending, type SendingServers, startSending } from '../../../support/sending-mail.ts';
import type { TestUser, Workspace } from '../../../support/workspace.ts';

/** `date` is that of the mail itself when it is there. */
interface Claim {
  from: string;
  subject: string;
  date?: string;
}

describe('pending messages of threads', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;
  beforeAll(async () => {
    ({ workspace, ada, servers, mailbox_id } = await startSending());
    await importMail(workspace, ada, mailbox_id, [
      eml({ id: 'first@x', subject: 'Winter', text: 'First.' }),
      eml({ id: 'second@x', subject: 'Re: Winter', text: 'Second.', references: ['first@x'] }),
    ]);
  });
  afterAll(async () => {
    await servers.stop();
    await workspace.stop();
  });

  const threadOf = async (id: string, user = ada) =>
    (await user.reader.retrieveThread({ params: { id } })).body.thread;
  const pending = async (id: string, user = ada) => (await threadOf(id, user)).pending_messages;
  const send = (draft_id: string) => ada.api.sendDraft({ params: { draft_id }, body: {} });

  longIt('from sending to sent, until the copy is in the thread', async () => {
    const message = (await messagesBySnippet(ada)).get('Second.');
    const thread_id = message?.thread_id ?? '';
    const { id } = await createDraft(ada, {
      in_reply_to_message_id: message?.id,
      bcc_email_addresses: ['hidden@x.example'],
      body: 'Thanks.',
    });
    await send(id);
    expect(await pending(thread_id)).toEqual([]);
    servers.turns.push({ reply: 451 });
    await runSending(workspace);
    const draft = await readDraft(ada, id);
    const shown = {
      ...{ id, delivery_status: 'sending', thread_id, mailbox_id },
      from_email_address: 'ada@acme.example',
      to_email_addresses: ['priya@ferries.example'],
      cc_email_addresses: [],
      bcc_email_addresses: ['hidden@x.example'],
      subject: 'Re: Winter',
      ...{ body: draft.body, body_html: draft.body_html, rfc_id: draft.rfc_id },
      ...{ created_at: draft.created_at, sent_at: null },
    };
    expect(await pending(thread_id)).toEqual([shown]);
    await runSending(workspace);
    const { sent_at } = await readDraft(ada, id);
    expect(await pending(thread_id)).toEqual([{ ...shown, delivery_status: 'sent', sent_at }]);
    await giveMailbox(workspace, workspace.grace, mailbox_id, 'edit');
    expect(await pending(thread_id, workspace.grace)).toEqual([]);

    const raw = servers.taken.at(-1)?.raw ?? '';
    expect(raw).toMatch(/\r\nIn-Reply-To: <second@x>\r\n/);
    expect(raw).toMatch(/\r\nReferences: <first@x> <second@x>\r\n/);
    await importMail(workspace, ada, mailbox_id, [Buffer.from(raw, 'latin1')]);
    const thread = await threadOf(thread_id);
    expect(thread.pending_messages).toEqual([]);
    expect(thread.messages).toHaveLength(3);
  });

  it.each([
    ['somebody else', { from: 'Mallory <mallory@x.example>', subject: 'Re: Winter' }],
    ['a mail of another moment', { from: 'ada@acme.example', subject: 'Re: Winter' }],
    ['a mail about something else', { from: 'ada@acme.example', subject: 'Summer', date: 'the same' }],
  ])('stay when %s claims their Message-ID', async (_, { date, ...claim }: Claim) => {
    const message = (await messagesBySnippet(ada)).get('First.');
    const { id, thread_id } = await createDraft(ada, { in_reply_to_message_id: message?.id, body: 'Yes.' });
    await send(id);
    await runSending(workspace);
    const shown = async () => (await pending(thread_id ?? '')).map((each) => each.id);
    expect(await shown()).toContain(id);
    const raw = servers.taken.at(-1)?.raw ?? '';
    const rfc_id = (await readDraft(ada, id)).rfc_id ?? '';
    const dated = date === undefined ? {} : { date: /^Date: (.*)\r$/m.exec(raw)?.[1] ?? '' };
    await importMail(workspace, ada, mailbox_id, [eml({ id: rfc_id, text: 'Never.', ...claim, ...dated })]);
    expect(await shown()).toContain(id);
    await importMail(workspace, ada, mailbox_id, [Buffer.from(raw, 'latin1')]);
    expect(await shown()).not.toContain(id);
  });

  longIt('end with their copy, however many later mails claim their Message-ID', async () => {
    const message = (await messagesBySnippet(ada)).get('First.');
    const { id, thread_id } = await createDraft(ada, { in_reply_to_message_id: message?.id, body: 'Fine.' });
    await send(id);
    await runSending(workspace);
    await claimId(workspace, mailbox_id, (await readDraft(ada, id)).rfc_id ?? '', 150);
    const raw = servers.taken.at(-1)?.raw ?? '';
    await importMail(workspace, ada, mailbox_id, [Buffer.from(raw, 'latin1')]);
    expect((await pending(thread_id ?? '')).map((each) => each.id)).not.toContain(id);
  });

  it('show no external image that they quote, unless it is asked for', async () => {
    const headers = ['Content-Type: text/html; charset=utf-8'];
    const text = '<p>Counted <img src="https://x.example/counted.gif" width="1" height="1"></p>';
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'counted@x', subject: 'Seen', headers, text })]);
    const message = (await messagesBySnippet(ada)).get('Counted');
    const { id, thread_id } = await createDraft(ada, { in_reply_to_message_id: message?.id, body: 'No.' });
    await send(id);
    await runSending(workspace);
    const params = { id: thread_id ?? '' };
    const html = async (query: object) => {
      const { thread } = (await ada.reader.retrieveThread({ params, query })).body;
      return thread.pending_messages?.map(({ body_html }) => body_html?.match(/ [\w-]*src="https[^"]*/)?.[0]);
    };
    expect(await html({})).toEqual([' data-blocked-src="https://x.example/counted.gif']);
    expect(await html({ images: 'direct' })).toEqual([' src="https://x.example/counted.gif']);
  });

  longIt('follow the message that they answer, when its thread becomes part of another', async () => {
    const at = (day: number) => ({ date: `${new Date(Date.UTC(2026, 10, day, 10)).toUTCString()}` });
    await importMail(workspace, ada, mailbox_id, [
      eml({ id: 'root@x', subject: 'Berths', text: 'Root.', ...at(2) }),
      eml({ id: 'later@x', subject: 'Re: Berths', text: 'Later.', in_reply_to: 'between@x', ...at(4) }),
    ]);
    const messages = await messagesBySnippet(ada);
    const answered = ['Root.', 'Later.'].map((snippet) => messages.get(snippet));
    expect(new Set(answered.map((message) => message?.thread_id)).size).toBe(2);
    const sent: string[] = [];
    for (const message of answered) {
      const { id } = await createDraft(ada, { in_reply_to_message_id: message?.id, body: 'Thanks.' });
      await send(id);
      sent.push(id);
    }
    await runSending(workspace);
    const shown = (message: (typeof answered)[number]) => pending(message?.thread_id ?? '');
    for (const [i, message] of answered.entries())
      expect(await shown(message)).toMatchObject([{ id: sent[i], thread_id: message?.thread_id }]);
    await importMail(workspace, ada, mailbox_id, [
      eml({ id: 'between@x', subject: 'Re: Berths', text: 'Between.', in_reply_to: 'root@x', ...at(3) }),
    ]);
    const { id: thread_id } = await threadOf(answered[0]?.thread_id ?? '');
    for (const message of answered)
      expect(await shown(message)).toMatchObject(
        sent.map((id) => ({ id, delivery_status: 'sent', thread_id })),
      );
    const raws = servers.taken.slice(-2).map(({ raw }) => Buffer.from(raw, 'latin1'));
    await importMail(workspace, ada, mailbox_id, raws);
    for (const message of answered) expect(await shown(message)).toEqual([]);
    // Later reads of threads do not pay for them.
    const { PK, SK } = keys.pendingDraft(ada.user.id, '');
    const noted = await workspace.table.all<PendingDraft>(PK, SK);
    expect(noted.filter(({ draft_id }) => sent.includes(draft_id))).toEqual([]);
  });

  it('not of a draft that failed', async () => {
    const message = (await messagesBySnippet(ada)).get('First.');
    const { id, thread_id } = await createDraft(ada, { in_reply_to_message_id: message?.id });
    servers.turns.push({ reply: 554 });
    await send(id);
    await runSending(workspace);
    expect((await readDraft(ada, id)).status).toBe('failed');
    expect(await pending(thread_id ?? '')).toEqual([]);
  });
});
