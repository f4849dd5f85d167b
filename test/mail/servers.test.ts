import { ImapFlow } from 'imapflow';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expiredCertificate } from '../support/certificate.ts';
import { type MailServers, startMailServers } from './servers.ts';

const passwords = { ada: 'the first password', grace: 'the second password' };

/** A password, or an access token. */
type Secret = { pass: string } | { accessToken: string };

describe('the mail servers of the tests', () => {
  let servers: MailServers;
  beforeAll(async () => {
    servers = await startMailServers({
      passwords,
      postfix: { bounced: ['left@acme.example'], replies: { 'later@acme.example': '450 4.2.1 Later' } },
    });
  });
  afterAll(() => servers?.stop());

  const imap = async (user: 'ada' | 'grace', secret: Secret = { pass: passwords[user] }, secure = true) => {
    const { port, tls_port } = servers.dovecot;
    const client = new ImapFlow({
      host: 'localhost',
      port: secure ? tls_port : port,
      secure,
      doSTARTTLS: !secure,
      auth: { user, ...secret },
      logger: false,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const smtp = (auth: object, secure = true) => {
    const { port, tls_port } = servers.postfix;
    return createTransport({
      host: 'localhost',
      port: secure ? tls_port : port,
      secure,
      requireTLS: !secure,
      auth,
    });
  };
  const ada = { user: 'ada', pass: passwords.ada };
  const letter = (to: string[], subject: string) => ({
    from: 'ada@acme.example',
    to,
    subject,
    text: 'Hello',
  });
  const arrives = (user: string, count: number) =>
    expect.poll(async () => (await servers.counts(user)).INBOX, { timeout: 10_000 }).toBe(count);

  it.each([true, false])('stores what is appended, and counts it (TLS first: %s)', async (secure) => {
    const client = await imap('ada', undefined, secure);
    const before = (await servers.counts('ada')).Sent ?? 0;
    await client.append('Sent', 'Subject: One\r\n\r\nText\r\n', ['\\Seen'], new Date('2026-11-01T09:00:00Z'));
    const lock = await client.getMailboxLock('Sent', { readOnly: true });
    const [last] = await client.fetchAll('*', { envelope: true, flags: true, internalDate: true });
    lock.release();
    await client.logout();
    expect(last?.envelope?.subject).toBe('One');
    expect([...(last?.flags ?? [])]).toContain('\\Seen');
    expect((await servers.counts('ada')).Sent).toBe(before + 1);
  });

  it.each([true, false])('delivers what is sent (TLS first: %s)', async (secure) => {
    const before = (await servers.counts('grace')).INBOX ?? 0;
    await smtp(ada, secure).sendMail(letter(['grace@acme.example'], 'Delivered'));
    await arrives('grace', before + 1);
  });

  it('refuses unknown recipients, puts others off, and sends bounces', async () => {
    const before = (await servers.counts('ada')).INBOX ?? 0;
    const to = ['none@acme.example', 'later@acme.example', 'left@acme.example'];
    const { accepted, rejectedErrors } = await smtp(ada).sendMail(letter(to, 'Refused'));
    expect(accepted).toEqual(['left@acme.example']);
    expect(rejectedErrors?.map(({ responseCode }) => responseCode)).toEqual([550, 450]);
    await arrives('ada', before + 1);
    const bounce = await servers.dovecot.doveadm('fetch', '-u', 'ada', 'text', 'mailbox', 'INBOX', 'all');
    expect(bounce).toContain('Content-Type: message/delivery-status');
  });

  it('knows passwords and tokens, and changes of both', async () => {
    const { dovecot, tokens } = servers;
    const refused = { serverResponseCode: 'AUTHENTICATIONFAILED' };
    await expect(imap('ada', { pass: 'wrong' })).rejects.toMatchObject(refused);
    await expect(smtp({ user: 'ada', pass: 'wrong' }).verify()).rejects.toMatchObject({ responseCode: 535 });
    tokens.set('token-1', 'ada');
    await (await imap('ada', { accessToken: 'token-1' })).logout();
    const oauth = { type: 'OAuth2', user: 'ada', accessToken: 'token-1' };
    expect(await smtp(oauth).verify()).toBe(true);
    tokens.delete('token-1');
    await expect(imap('ada', { accessToken: 'token-1' })).rejects.toMatchObject(refused);
    await dovecot.setPassword('grace', 'a new password');
    await expect(imap('grace')).rejects.toMatchObject(refused);
    await (await imap('grace', { pass: 'a new password' })).logout();
    await dovecot.setPassword('grace', passwords.grace);
  });

  it('are killed, and start again with what they had', async () => {
    const { dovecot, postfix } = servers;
    const before = await servers.counts('grace');
    const client = await imap('grace');
    const closed = new Promise((resolve) => client.once('close', resolve));
    await Promise.all([dovecot.kill(), postfix.kill()]);
    await closed;
    await expect(imap('grace')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await Promise.all([dovecot.start(), postfix.start()]);
    expect(await servers.counts('grace')).toEqual(before);
    await smtp(ada).sendMail(letter(['grace@acme.example'], 'After'));
    await arrives('grace', (before.INBOX ?? 0) + 1);
  });

  it('can have a certificate that expired', async () => {
    const expired = await startMailServers({ passwords, dovecot: { tls: expiredCertificate } });
    try {
      const { tls_port: port } = expired.dovecot;
      const client = new ImapFlow({ host: 'localhost', port, secure: true, auth: ada, logger: false });
      client.on('error', () => {});
      await expect(client.connect()).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
    } finally {
      await expired.stop();
    }
  });
});
