import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealedServer } from '#shared/domain/mail/servers/login.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { createDraft, messagesBySnippet, outbound, readDraft } from '../support/drafts.ts';
import { eml } from '../support/mail.ts';
import { givenConnected, runMailSync } from '../support/mail-sync.ts';
import { runSending } from '../support/sending-mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';
import { type MailServers, startMailServers } from './servers.ts';

/** Drafts that are sent by Postfix, with the copies at Dovecot. */
describe('a reply by Postfix and Dovecot', () => {
  let workspace: Workspace;
  let servers: MailServers;
  let ada: TestUser;
  let mailbox_id: string;
  const passwords = { ada: 'the first password', grace: 'the second password' };
  const REFUSED = 'refused@acme.example';

  const placeOf = (port: number) => ({
    ...{ host: 'localhost', port, tls: true, username: 'ada', password: passwords.ada },
  });

  beforeAll(async () => {
    servers = await startMailServers({ passwords, postfix: { replies: { [REFUSED]: '550 5.1.1 Unknown' } } });
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
    const { config } = workspace.ctx;
    config.mail_private_hosts = true;
    const { dovecot, postfix } = servers;
    const at = placeOf(dovecot.tls_port);
    const store = await mailServersAt(true).openStore(
      { host: at.host, port: at.port, tls: true, username: 'ada', secret: { password: at.password } },
      AbortSignal.timeout(60_000),
    );
    const question = { id: 'question@acme.example', from: 'grace@acme.example', subject: 'Winter' };
    await store.append('INBOX', eml({ ...question, text: 'When do you come?' }), [], new Date());
    await store.close();
    mailbox_id = await givenConnected(workspace, ada, at);
    await outbound(workspace.table, workspace.account_id, mailbox_id, {
      mail_server: {
        imap: sealedServer(config, mailbox_id, 'imap', at),
        smtp: sealedServer(config, mailbox_id, 'smtp', placeOf(postfix.tls_port)),
        oauth: null,
      },
    });
    await ada.api.syncMailbox({ params: { mailbox_id }, body: {} });
    await runMailSync(workspace);
  });
  afterAll(async () => {
    await workspace?.stop();
    await servers?.stop();
  });

  async function answer(draft: object = {}) {
    const message = (await messagesBySnippet(ada)).get('When do you come?');
    const to_email_addresses = ['grace@acme.example'];
    const { id } = await createDraft(ada, {
      ...{ mailbox_id, in_reply_to_message_id: message?.id, to_email_addresses },
      ...{ body: 'At noon.', ...draft },
    });
    await ada.api.sendDraft({ params: { draft_id: id }, body: {} });
    return { id, thread_id: message?.thread_id ?? '' };
  }
  const threadOf = async (id: string) => (await ada.reader.retrieveThread({ params: { id } })).body.thread;
  const countOf = async (user: string, folder: string) => (await servers.counts(user))[folder] ?? 0;

  it('arrives once, has one copy, and is in its thread when the mailbox was read', async () => {
    const { id, thread_id } = await answer();
    expect(await runSending(workspace)).toBe(0);
    const { status, rfc_id } = await readDraft(ada, id);
    expect(status).toBe('sent');
    expect((await threadOf(thread_id)).pending_messages).toMatchObject([
      { id, delivery_status: 'sent', rfc_id },
    ]);
    await expect.poll(() => countOf('grace', 'INBOX'), { timeout: 10_000 }).toBe(1);
    const text = await servers.dovecot.doveadm('fetch', '-u', 'grace', 'text', 'mailbox', 'INBOX', 'all');
    expect(text).toContain(`Message-ID: <${rfc_id}>`);
    expect(text).toContain('In-Reply-To: <question@acme.example>');
    expect(text).toContain('At noon.');
    expect(await countOf('ada', 'Sent')).toBe(1);
    // Sending has asked for it.
    await runMailSync(workspace);
    const thread = await threadOf(thread_id);
    expect(thread.pending_messages).toEqual([]);
    expect(thread.messages).toMatchObject([
      { snippet: 'When do you come?' },
      { snippet: expect.stringContaining('At noon.') },
    ]);
  });

  it('to a recipient that is refused, nobody gets it', async () => {
    const before = [await countOf('grace', 'INBOX'), await countOf('ada', 'Sent')];
    const { id } = await answer({ to_email_addresses: ['grace@acme.example', REFUSED] });
    expect(await runSending(workspace)).toBe(0);
    const { status, last_error } = await readDraft(ada, id);
    expect([status, last_error?.code]).toEqual(['failed', 'recipient_refused']);
    expect(last_error?.message).toContain(REFUSED);
    // What is sent later has arrived, and nothing else.
    await answer({ body: 'After that.' });
    await runSending(workspace);
    await expect.poll(() => countOf('grace', 'INBOX'), { timeout: 10_000 }).toBe(Number(before[0]) + 1);
    expect(await countOf('ada', 'Sent')).toBe(Number(before[1]) + 1);
  });
});
