import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailStore, ServerLogin } from '#shared/domain/mail/servers/server.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { connectLiveMail } from '../../infra/local/mail-server/connect.ts';
import { type LiveMail, startLiveMail } from '../../infra/local/mail-server/live.ts';
import { givenMailbox } from '../support/mail.ts';
import { startWorkspace } from '../support/workspace.ts';

/** The mail servers of `npm start -- --with-mail-server`. */
describe('live mail of the demo', () => {
  let folder: string;
  let live: LiveMail;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'live-mail-'));
    await chmod(folder, 0o755);
    live = await startLiveMail(join(folder, 'mail-server'));
  });
  afterAll(async () => {
    await live?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const send = (to: string[], headers = {}) => {
    const auth = { user: live.user, pass: live.password };
    const transport = createTransport({ host: 'localhost', port: live.smtp_port, secure: true, auth });
    return transport.sendMail({ from: live.address, to, subject: 'Ahoy', text: 'Hello', headers });
  };
  /** The messages in an inbox. */
  const inbox = async (username: string) => {
    const { imap_port: port, password } = live;
    const login: ServerLogin = { host: 'localhost', port, tls: true, username, secret: { password } };
    const store: MailStore = await mailServersAt(true).openStore(login, AbortSignal.timeout(20_000));
    const { uidvalidity } = await store.state('INBOX');
    const place = { path: 'INBOX', uidvalidity };
    const all: string[] = [];
    for (const uid of await store.uids(place))
      all.push(Buffer.from((await store.read(place, uid, 100_000)) ?? []).toString());
    await store.close();
    return all;
  };

  it('goes to the world, which answers in the same thread', async () => {
    let arrived = 0;
    live.arrived = () => arrived++;
    const { messageId } = await send(['grace@globex.example', 'ada@acme.example']);
    expect((await inbox('world')).at(-1)).toContain('Subject: Ahoy');
    const [own, answer] = await inbox('ada');
    expect(own).toContain('Subject: Ahoy');
    expect(answer).toMatch(/^From: grace@globex\.example/m);
    expect(answer).toContain(`In-Reply-To: ${messageId}`);
    expect(arrived).toBe(2);
  });

  it('answers nothing that no person wrote', async () => {
    const before = (await inbox('ada')).length;
    await send(['grace@globex.example'], { 'Auto-Submitted': 'auto-replied' });
    expect((await inbox('ada')).length).toBe(before);
  });

  it('becomes that of a mailbox with mail from archives, once', async () => {
    const workspace = await startWorkspace();
    try {
      const { ada } = workspace;
      workspace.ctx.config.mail_private_hosts = true;
      const id = await givenMailbox(workspace, ada);
      const read = async () => (await ada.reader.retrieveMailbox({ params: { id } })).body.mailbox;
      expect((await read()).email_address).toBe(live.address);
      await connectLiveMail(ada.session, id, live);
      const connected = await read();
      expect(connected).toMatchObject({ provider: 'imap', outbound_enabled: true });
      await connectLiveMail(ada.session, id, live);
      expect(await read()).toEqual(connected);
    } finally {
      live.arrived = () => {};
      await workspace.stop();
    }
  });

  it('is kept, at the same ports', async () => {
    const before = await inbox('ada');
    const { imap_port, smtp_port, password } = live;
    await live.stop();
    live = await startLiveMail(join(folder, 'mail-server'));
    expect(live).toMatchObject({ imap_port, smtp_port, password });
    expect(await inbox('ada')).toEqual(before);
  });
});
