import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderChanged, LoginRefused, ServerUnreachable } from '#shared/domain/mail/servers/failures.ts';
import type { MailStore, ServerLogin } from '#shared/domain/mail/servers/server.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { trustCertificate } from '../../../infra/local/mail-server/certificate.ts';
import type { ImapMailbox } from '../../support/imap/mailbox.ts';
import { ImapServer, type ImapServerOptions } from '../../support/imap-server.ts';
import { longIt } from '../../support/long.ts';

/** A whole mailbox at a server that works, that lacks extensions, or that fails. imap.test.ts has single answers. */
describe('a mailbox at an IMAP server', () => {
  let server: ImapServer;
  let mailbox: ImapMailbox;
  let store: MailStore | undefined;
  const start = async (options?: ImapServerOptions) => {
    server = await new ImapServer(options).start();
    mailbox = server.user('ada');
  };
  beforeEach(() => start());
  afterEach(async () => {
    server.drop();
    await store?.close();
    store = undefined;
    await server.stop();
  });

  const open = async (login: Partial<ServerLogin> = {}) => {
    const own = { host: 'localhost', port: server.port, tls: false, username: 'ada' };
    const secret = { password: 'right password' };
    const signal = AbortSignal.timeout(20_000);
    store = await mailServersAt(true).openStore({ ...own, secret, ...login }, signal);
    return store;
  };
  const message = (id: string, text = 'Hello') =>
    `Message-ID: <${id}>\r\nFrom: ada@acme.example\r\nSubject: One\r\n\r\n${text}\r\n`;
  const placeOf = (path: string) => ({ path, uidvalidity: String(mailbox.folder(path).uidvalidity) });
  const inbox = () => placeOf('INBOX');

  it.each([
    ['all extensions', []],
    [
      'none',
      ['CONDSTORE', 'ENABLE', 'MOVE', 'UIDPLUS', 'SPECIAL-USE', 'LIST-STATUS', 'LITERAL+', 'NAMESPACE'],
    ],
  ])('is read and changed with %s', async (_, missing) => {
    for (const each of missing) server.capabilities.delete(each);
    const received_at = new Date('2026-11-01T09:00:00Z');
    mailbox.add('INBOX', message('one'), { received_at });
    mailbox.add('INBOX', message('two', 'x'.repeat(5_000)), { flags: ['\\Seen', '$Kept'], received_at });
    const opened = await open();
    const roles = (await opened.folders()).map(({ path, role }) => [path, role]);
    expect(Object.fromEntries(roles)).toMatchObject({ INBOX: 'inbox', Sent: 'sent', Spam: 'spam' });
    const { modseq, ...state } = await opened.state('INBOX');
    expect(state).toEqual({ uidvalidity: inbox().uidvalidity, uidnext: 3, messages: 2 });
    expect(modseq === null).toBe(missing.length > 0);
    expect(await opened.copies(inbox(), { from: 1 })).toEqual([
      { uid: 1, size: message('one').length, seen: false, flagged: false, received_at },
      { uid: 2, size: 5_000 + message('two', '').length, seen: true, flagged: false, received_at },
    ]);
    expect(Buffer.from((await opened.read(inbox(), 1, 1_000)) ?? []).toString()).toBe(message('one'));
    expect((await opened.read(inbox(), 2, 100))?.length).toBe(100);
    expect(await opened.read(inbox(), 3, 100)).toBeUndefined();
    expect(mailbox.folder('INBOX').message(1)?.flags).toEqual(new Set());
    await opened.setFlags(inbox(), [1, 2], { add: ['\\Flagged'], remove: ['\\Seen'] });
    expect(mailbox.folder('INBOX').message(2)?.flags).toEqual(new Set(['$Kept', '\\Flagged']));
    await opened.append('Sent', Buffer.from(message('sent')), ['\\Seen'], received_at);
    expect(await opened.find('Sent', 'sent')).toEqual([1]);
    await opened.move(inbox(), [1], 'Archive');
    expect(mailbox.folder('Archive').messages.map(({ raw }) => raw.toString())).toEqual([message('one')]);
    expect(await opened.find('Archive', 'one')).toEqual([1]);
    expect(mailbox.folder('INBOX').messages.filter(({ flags }) => !flags.has('\\Deleted'))).toHaveLength(1);
  });

  it('tells what changed', async () => {
    for (const id of ['one', 'two', 'three']) mailbox.add('INBOX', message(id));
    const opened = await open();
    const { modseq } = await opened.state('INBOX');
    mailbox.folder('INBOX').flag(2, { add: ['\\Seen'] });
    mailbox.folder('INBOX').remove(1);
    mailbox.add('INBOX', message('four'));
    const changed = await opened.copies(inbox(), { from: 1 }, modseq ?? '');
    expect(changed.map(({ uid, seen }) => [uid, seen])).toEqual([
      [2, true],
      [4, false],
    ]);
    expect(await opened.uids(inbox())).toEqual([2, 3, 4]);
  });

  it('keeps the ids of folders that are renamed, where the server has ids', async () => {
    server.capabilities.add('OBJECTID');
    const { id } = mailbox.create('Grüße');
    mailbox.rename('Grüße', 'Räume/& mehr');
    const folders = await (await open()).folders();
    expect(folders.find(({ server_id }) => server_id === id)?.path).toBe('Räume/& mehr');
  });

  it('is another one when the server counts anew, or has no such folder', async () => {
    mailbox.add('INBOX', message('one'));
    const place = inbox();
    mailbox.create('Gone');
    const gone = placeOf('Gone');
    mailbox.folder('INBOX').renumber();
    mailbox.folders.delete('Gone');
    const opened = await open();
    for (const each of [place, gone]) await expect(opened.uids(each)).rejects.toThrow(FolderChanged);
  });

  it.each(['first', 'starttls'] as const)('is opened by password and by token, with TLS: %s', async (tls) => {
    await server.stop();
    await start({ tls });
    trustCertificate();
    mailbox.tokens.add('token-1');
    for (const secret of [{ password: 'right password' }, { access_token: 'token-1' }]) {
      const opened = await open({ tls: tls === 'first', secret });
      expect(await opened.uids(inbox())).toEqual([]);
      await opened.close();
    }
    for (const secret of [{ password: 'wrong' }, { access_token: 'token-2' }])
      await expect(open({ tls: tls === 'first', secret })).rejects.toThrow(LoginRefused);
  });

  it('comes later when the server says so', async () => {
    server.instead = ({ name }) => (name === 'EXAMINE' ? { end: 'NO [UNAVAILABLE] Later' } : undefined);
    await expect((await open()).uids(inbox())).rejects.toThrow(TryLater);
  });

  it('loses its connection: in an answer, or after the work was done', async () => {
    mailbox.add('INBOX', message('one', 'x'.repeat(10_000)));
    const opened = await open();
    await opened.uids(inbox());
    server.cut_after = 3_000;
    await expect(opened.read(inbox(), 1, 20_000)).rejects.toThrow(ServerUnreachable);
    server.cut_after = Number.POSITIVE_INFINITY;
    server.done = ({ name }) => (name === 'APPEND' ? 'drop' : undefined);
    const again = await open();
    await expect(again.append('Sent', Buffer.from(message('two')), [], new Date())).rejects.toThrow(
      ServerUnreachable,
    );
    expect(mailbox.folder('Sent').messages).toHaveLength(1);
    expect(server.connections).toEqual({ opened: 2, most: 1 });
  });

  longIt('is read by single bytes', async () => {
    mailbox.add('INBOX', message('one'));
    const opened = await open();
    await opened.uids(inbox());
    server.pace = 1;
    expect((await opened.read(inbox(), 1, 20))?.length).toBe(20);
  });

  it('is not read from a literal of a wrong length', async () => {
    mailbox.add('INBOX', message('one', 'x'.repeat(1_000)));
    const opened = await open();
    await opened.uids(inbox());
    // The end of the answer becomes a part of the message, and never comes.
    server.wire = (bytes) =>
      Buffer.from(bytes.toString('latin1').replace(/\{(\d{3,})\}/, '{99999}'), 'latin1');
    const reading = opened.read(inbox(), 1, 200_000);
    setTimeout(() => server.drop(), 200);
    await expect(reading).rejects.toThrow(ServerUnreachable);
  });
});
