import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expiredCertificate } from '../support/certificate.ts';
import { connectMailbox } from '../support/connected.ts';
import { problemsOf } from '../support/failures.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';
import { type MailServers, startMailServers } from './servers.ts';

/** docs/specification/mail.md, "Mail servers", at servers of many companies. */
describe('POST /mailboxes at Dovecot and Postfix', () => {
  const password = 'the first password';
  let workspace: Workspace;
  let servers: MailServers;
  beforeAll(async () => {
    workspace = await startWorkspace();
    workspace.ctx.config.mail_private_hosts = true;
    servers = await startMailServers({ passwords: { ada: password } });
  });
  afterAll(async () => {
    await servers?.stop();
    await workspace?.stop();
  });

  const at = ({ dovecot, postfix }: MailServers, tls: boolean, secret = password) => {
    const server = { host: 'localhost', tls, username: 'ada', password: secret };
    return {
      imap: { ...server, port: tls ? dovecot.tls_port : dovecot.port },
      smtp: { ...server, port: tls ? postfix.tls_port : postfix.port },
    };
  };

  it.each([true, false])('201 with the right password, 400 with another (TLS first: %s)', async (tls) => {
    const { ada } = workspace;
    const address = `ada-${tls}@acme.example`;
    const wrong = connectMailbox(ada, address, at(servers, tls, 'another'));
    expect(await problemsOf(wrong)).toEqual({ 'imap.password': 'invalid', 'smtp.password': 'invalid' });
    const { mailbox } = (await connectMailbox(ada, address, at(servers, tls))).body;
    expect(mailbox).toMatchObject({ status: 'connecting', outbound_enabled: true });
    const params = { id: mailbox.id };
    await servers.dovecot.setPassword('ada', 'the next password');
    const change = (secret: string) =>
      ada.session.updateMailboxCredentials({ params, body: { mailbox: at(servers, tls, secret) } });
    expect(Object.keys(await problemsOf(change(password)))).toEqual(['imap.password', 'smtp.password']);
    expect((await change('the next password')).status).toBe(200);
    await servers.dovecot.setPassword('ada', password);
  });

  it('400: certificates that have expired, or are of another name', async () => {
    const expired = await startMailServers({
      passwords: { ada: password },
      dovecot: { tls: expiredCertificate },
      postfix: { tls: expiredCertificate },
    });
    try {
      for (const tls of [true, false])
        expect(await problemsOf(connectMailbox(workspace.ada, 'x@acme.example', at(expired, tls)))).toEqual({
          ...{ 'imap.host': 'invalid', 'smtp.host': 'invalid' },
        });
    } finally {
      await expired.stop();
    }
  });
});
