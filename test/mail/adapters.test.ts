import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FolderChanged, LoginRefused, RecipientsRefused } from '#shared/domain/mail/servers/failures.ts';
import type { MailStore, ServerLogin } from '#shared/domain/mail/servers/server.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { type MailServers, startMailServers } from './servers.ts';

/** What shared/domain/mail/servers/server.ts promises, at servers of many companies. */
describe('mailboxes at Dovecot and Postfix', () => {
  let servers: MailServers;
  let store: MailStore | undefined;
  beforeAll(async () => {
    servers = await startMailServers({ passwords: { ada: 'the first password', grace: 'the second' } });
  });
  afterEach(() => store?.close());
  afterAll(() => servers?.stop());

  const adapters = mailServersAt(true);
  const login = (
    { port, tls_port }: { port: number; tls_port: number },
    tls: boolean,
    secret: ServerLogin['secret'] = { password: 'the first password' },
  ): ServerLogin => ({ host: 'localhost', port: tls ? tls_port : port, tls, username: 'ada', secret });
  const open = async (tls = true, secret?: ServerLogin['secret']) => {
    store = await adapters.openStore(login(servers.dovecot, tls, secret), AbortSignal.timeout(30_000));
    return store;
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it succeeded'),
      (error: Error) => error,
    );
  const message = (id: string, text = 'Hello') =>
    Buffer.from(`Message-ID: <${id}>\r\nFrom: ada@acme.example\r\nSubject: One\r\n\r\n${text}\r\n`);
  const at = new Date('2026-11-01T09:00:00Z');
  /** A new folder with these messages. */
  const given = async (path: string, ...messages: Buffer[]) => {
    await servers.dovecot.doveadm('mailbox', 'create', '-u', 'ada', path);
    const opened = store ?? (await open());
    for (const raw of messages) await opened.append(path, raw, [], at);
    const { uidvalidity } = await opened.state(path);
    return { path, uidvalidity };
  };

  it.each([true, false])('signs in with the right password alone (TLS first: %s)', async (tls) => {
    await open(tls);
    const wrong = { password: 'another password' };
    const opening = [
      () => adapters.openStore(login(servers.dovecot, tls, wrong), AbortSignal.timeout(30_000)),
      () => adapters.openTransport(login(servers.postfix, tls, wrong), AbortSignal.timeout(30_000)),
    ];
    for (const each of opening) expect(await failure(each())).toBeInstanceOf(LoginRefused);
  });

  it('signs in with tokens', async () => {
    servers.tokens.set('good', 'ada');
    await open(true, { access_token: 'good' });
    const transport = await adapters.openTransport(
      login(servers.postfix, true, { access_token: 'good' }),
      AbortSignal.timeout(30_000),
    );
    await transport.close();
    expect(await failure(open(true, { access_token: 'bad' }))).toBeInstanceOf(LoginRefused);
  });

  it('reads what is there, and leaves no trace', async () => {
    const opened = await open();
    const long = message('long@acme.example', `${'x'.repeat(70)}\r\n`.repeat(90_000));
    const place = await given('Projekte/Übersicht & mehr', message('one@acme.example'), long);
    expect(await opened.state(place.path)).toMatchObject({
      messages: 2,
      uidnext: 3,
      uidvalidity: place.uidvalidity,
    });
    const copies = await opened.copies(place, { from: 1 });
    expect(copies).toEqual([
      { uid: 1, size: message('one@acme.example').length, seen: false, flagged: false, received_at: at },
      { uid: 2, size: long.length, seen: false, flagged: false, received_at: at },
    ]);
    expect(await opened.uids(place)).toEqual([1, 2]);
    expect(Buffer.from((await opened.read(place, 2, 50_000_000)) ?? []).equals(long)).toBe(true);
    expect(await opened.read(place, 2, 5_000_000)).toHaveLength(5_000_000);
    expect(await opened.read(place, 3, 1_000)).toBeUndefined();
    expect((await opened.copies(place, { from: 1 })).every(({ seen }) => !seen)).toBe(true);
    expect(await opened.copies(place, { from: 3 })).toEqual([]);
    expect((await opened.folders()).find(({ path }) => path === place.path)?.role).toBeNull();
  });

  it('tells what changed', async () => {
    const opened = await open();
    const place = await given('Changes', message('c1@acme.example'), message('c2@acme.example'));
    const { modseq } = await opened.state('Changes');
    expect(modseq).toMatch(/^\d+$/);
    expect(await opened.copies(place, { from: 1 }, modseq as string)).toEqual([]);
    await opened.setFlags(place, [2], { add: ['\\Seen', '$Forwarded'], remove: ['\\Flagged'] });
    const changed = await opened.copies(place, { from: 1 }, modseq as string);
    expect(changed).toMatchObject([{ uid: 2, seen: true, flagged: false }]);
    await opened.setFlags(place, [2], { add: ['\\Flagged'], remove: ['\\Seen'] });
    expect(await opened.copies(place, { from: 2 })).toMatchObject([{ uid: 2, seen: false, flagged: true }]);
    const flags = await servers.dovecot.doveadm(
      'fetch',
      '-u',
      'ada',
      'flags',
      'mailbox',
      'Changes',
      'uid',
      '2',
    );
    expect(flags).toContain('$Forwarded');
  });

  it('finds, moves and appends', async () => {
    const opened = await open();
    const place = await given('Here', message('m@acme.example'), message('mm@acme.example'));
    const there = await given('There');
    expect(await opened.find('Here', 'm@acme.example')).toEqual([1]);
    expect(await opened.find('Here', 'acme.example')).toEqual([]);
    await opened.move(place, [1], 'There');
    expect([await opened.uids(place), await opened.uids(there)]).toEqual([[2], [1]]);
    await opened.append('There', message('sent@acme.example'), ['\\Seen'], at);
    expect(await opened.copies(there, { from: 2 })).toMatchObject([{ uid: 2, seen: true, received_at: at }]);
    expect(await failure(opened.move(place, [2], 'Nowhere'))).toBeInstanceOf(FolderChanged);
    expect(await failure(opened.append('Nowhere', message('x@acme.example'), [], at))).toBeInstanceOf(
      FolderChanged,
    );
  });

  it('notices folders that went, and others in their place', async () => {
    const opened = await open();
    const place = await given('Fleeting', message('f@acme.example'));
    await servers.dovecot.doveadm('mailbox', 'delete', '-u', 'ada', 'Fleeting');
    expect(await failure(opened.state('Fleeting'))).toBeInstanceOf(FolderChanged);
    expect(await failure(opened.copies(place, { from: 1 }))).toBeInstanceOf(FolderChanged);
    await servers.dovecot.doveadm('mailbox', 'create', '-u', 'ada', 'Fleeting');
    expect(await failure(opened.copies(place, { from: 1 }))).toBeInstanceOf(FolderChanged);
    expect(await failure(opened.setFlags(place, [1], { add: ['\\Seen'] }))).toBeInstanceOf(FolderChanged);
  });

  it('sends to all recipients or to none', async () => {
    const transport = await adapters.openTransport(
      login(servers.postfix, false),
      AbortSignal.timeout(30_000),
    );
    const before = (await servers.counts('grace')).INBOX ?? 0;
    const to = ['grace@acme.example', 'nobody@acme.example'];
    const refused = await failure(
      transport.send({ from: 'ada@acme.example', to }, message('s1@acme.example')),
    );
    expect(refused).toBeInstanceOf(RecipientsRefused);
    expect(refused).toMatchObject({ addresses: ['nobody@acme.example'], permanent: true });
    await transport.send(
      { from: 'ada@acme.example', to: ['grace@acme.example'] },
      message('s2@acme.example'),
    );
    await transport.close();
    await expect
      .poll(async () => (await servers.counts('grace')).INBOX, { timeout: 10_000 })
      .toBe(before + 1);
  });
});
