import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FolderChanged,
  LoginFailed,
  LoginRefused,
  ServerUnreachable,
} from '#shared/domain/mail/servers/failures.ts';
import type { MailStore } from '#shared/domain/mail/servers/server.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { type Answer, type ScriptedImap, startScriptedImap } from '../../support/scripted-imap.ts';

/** The port is in shared/domain/mail/servers/server.ts; test/mail has the same against a real server. */
describe('mailboxes by IMAP', () => {
  let server: ScriptedImap;
  let stores: MailStore[];
  beforeEach(async () => {
    server = await startScriptedImap();
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await server.stop();
  });

  const login = { host: '127.0.0.1', tls: false, username: 'ada', secret: { password: 'secret words' } };
  const open = async (answer: Answer = () => undefined, signal = AbortSignal.timeout(10_000)) => {
    server.answer = answer;
    const store = await mailServersAt(true).openStore({ ...login, port: server.port }, signal);
    stores.push(store);
    return store;
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it succeeded'),
      (error: Error) => error,
    );
  const to =
    (command: string, lines: string[]): Answer =>
    (said) =>
      said.command === command ? [...lines] : undefined;
  const inbox = { path: 'INBOX', uidvalidity: '7' };

  it.each([
    ['NO [AUTHENTICATIONFAILED] Wrong', LoginRefused],
    ['NO [EXPIRED] Change it', LoginRefused],
    ['NO [UNAVAILABLE] Later', TryLater],
    ['NO [LIMIT] Too many', TryLater],
    ['NO [INUSE] Locked', TryLater],
    ['NO [ALERT] Sign in with a browser', TryLater],
    ['NO Login failed', LoginFailed],
    ['BAD What', LoginFailed],
  ])('tells what %s means for a login', async (reply, kind) => {
    const error = await failure(open(to('LOGIN', [reply])));
    expect(error.constructor).toBe(kind);
    expect(`${error.message}${error.cause ?? ''}`).not.toMatch(/Wrong|browser|secret/);
  });

  it('comes back later when the server is full', async () => {
    server.greeting = '* BYE Too many connections';
    expect(await failure(open())).toBeInstanceOf(TryLater);
  });

  it('is unreachable when there is no server', async () => {
    const { port } = server;
    await server.stop();
    const opening = mailServersAt(true).openStore({ ...login, port }, AbortSignal.timeout(5_000));
    expect(await failure(opening)).toBeInstanceOf(ServerUnreachable);
    server = await startScriptedImap();
  });

  describe('without leave to talk in plain text', () => {
    const starttls = () => {
      const outside = {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        isPublic: () => true,
        ports: { imap: [server.port], smtp: [] },
      };
      return mailServersAt(false, outside).openStore(
        { ...login, host: 'imap.example', port: server.port },
        AbortSignal.timeout(5_000),
      );
    };

    it.each([
      ['offers no TLS', '* OK Ready', 'IMAP4rev1', undefined],
      ['refuses TLS', '* OK Ready', 'IMAP4rev1 STARTTLS', ['NO Not now']],
      ['speaks before TLS begins', '* OK Ready', 'IMAP4rev1 STARTTLS', ['OK Go\r\n* CAPABILITY IMAP4rev1']],
      ['says that one is signed in', '* PREAUTH Welcome', 'IMAP4rev1', undefined],
    ])('tells no password to a server that %s', async (_, greeting, capabilities, answer) => {
      Object.assign(server, { greeting, capabilities });
      if (answer) server.answer = to('STARTTLS', answer);
      expect(await failure(starttls())).toBeInstanceOf(ServerUnreachable);
      expect(server.heard.join('\n')).not.toMatch(/LOGIN|AUTHENTICATE|ada/);
    });
  });

  it('reads without a trace, the messages of the folder that was meant', async () => {
    const store = await open((said) => {
      if (said.command !== 'UID FETCH') return undefined;
      const other = '* 1 FETCH (UID 4 FLAGS (\\Seen))';
      return said.rest.startsWith('5 ')
        ? [other, '* 2 FETCH (UID 5 BODY[]<0> {4}\r\nText)', 'OK Done']
        : ['OK Done'];
    });
    expect(Buffer.from((await store.read(inbox, 5, 1_000)) ?? []).toString()).toBe('Text');
    expect(await store.read(inbox, 6, 1_000)).toBeUndefined();
    expect(await failure(store.read({ ...inbox, uidvalidity: '8' }, 5, 1_000))).toBeInstanceOf(FolderChanged);
    const said = server.heard.join('\n');
    expect(said).toContain('BODY.PEEK[]<0.1000>');
    expect(said).not.toMatch(/^SELECT|^CLOSE|EXPUNGE|BODY\[/m);
  });

  it('knows the copies of a folder once each', async () => {
    const at = '"01-Nov-2026 09:00:00 +0000"';
    const store = await open(
      to('UID FETCH', [
        `* 3 FETCH (UID 9 RFC822.SIZE 30 FLAGS (\\Flagged) INTERNALDATE ${at})`,
        `* 1 FETCH (UID 4 RFC822.SIZE 10 FLAGS (\\Seen) INTERNALDATE ${at})`,
        '* 1 FETCH (UID 4 FLAGS ())',
        `* 2 FETCH (UID 5 RFC822.SIZE 20 FLAGS () INTERNALDATE "never")`,
        'OK Done',
      ]),
    );
    expect(await store.copies(inbox, { from: 4, to: 8 })).toEqual([
      { uid: 4, size: 10, seen: false, flagged: false, received_at: new Date('2026-11-01T09:00:00Z') },
      { uid: 5, size: 20, seen: false, flagged: false, received_at: null },
    ]);
    expect((await store.copies(inbox, { from: 9 })).map(({ uid }) => uid)).toEqual([9]);
    expect(await store.copies(inbox, { from: 10 })).toEqual([]);
  });

  it('finds exactly a Message-ID', async () => {
    const ids = { 4: 'a@b.example', 5: 'aa@b.example', 6: 'a@b.example.org' };
    const headers = Object.entries(ids).map(([uid, id]) => {
      const text = `Message-ID:\r\n <${id}>\r\n\r\n`;
      return `* ${uid} FETCH (UID ${uid} BODY[HEADER.FIELDS (Message-ID)] {${text.length}}\r\n${text})`;
    });
    const store = await open(({ command }) => {
      if (command === 'UID SEARCH') return ['* SEARCH 4 5 6', 'OK Done'];
      return command === 'UID FETCH' ? [...headers, 'OK Done'] : undefined;
    });
    expect(await store.find('INBOX', 'a@b.example')).toEqual([4]);
    expect(server.heard.join('\n')).toMatch(/SEARCH HEADER Message-ID "?<a@b\.example>"?/i);
  });

  it('knows what folders are for, and their ids', async () => {
    server.capabilities = 'IMAP4rev1 LIST-STATUS OBJECTID SPECIAL-USE';
    const store = await open(({ command, rest }) => {
      if (command !== 'LIST') return undefined;
      if (rest === '"" ""') return ['* LIST (\\Noselect) "/" ""', 'OK Done'];
      if (rest.includes('MAILBOXID'))
        return [
          '* LIST () "/" INBOX',
          '* STATUS INBOX (MAILBOXID (F1))',
          '* STATUS "Entw&APw-rfe" (MAILBOXID (F2))',
          'OK Done',
        ];
      return [
        '* LIST () "/" INBOX',
        '* LIST () "/" "INBOX/INBOX"',
        '* LIST () "/" "Entw&APw-rfe"',
        '* LIST (\\Noselect) "/" "[Gmail]"',
        '* LIST (\\All) "/" "[Gmail]/All Mail"',
        '* LIST (\\Flagged) "/" "[Gmail]/Starred"',
        '* LIST () "/" "Gesendet"',
        '* LIST (\\Junk) "/" "Bulk"',
        '* LIST () "/" "Broken&AP"',
        '* LIST () "/" "Broken"',
        '* LIST (\\NonExistent) "/" "Gone"',
        'OK Done',
      ];
    });
    const folders = await store.folders();
    const known = Object.fromEntries(folders.map(({ path, role, server_id }) => [path, [role, server_id]]));
    expect(known).toMatchObject({
      INBOX: ['inbox', 'F1'],
      'INBOX/INBOX': [null, null],
      Entwürfe: ['drafts', 'F2'],
      '[Gmail]/All Mail': ['all', null],
      '[Gmail]/Starred': ['all', null],
      Gesendet: ['sent', null],
      Bulk: ['spam', null],
    });
    expect(folders).toHaveLength(8);
  });

  it('describes folders, and says which are gone', async () => {
    const store = await open(({ command, rest }) => {
      if (command === 'LIST') return ['OK Done'];
      if (command !== 'STATUS') return undefined;
      if (rest.startsWith('Busy')) return ['NO [INUSE] Later'];
      return rest.startsWith('INBOX')
        ? ['* STATUS INBOX (MESSAGES 3 UIDNEXT 10 UIDVALIDITY 7)', 'OK Done']
        : ['NO No such folder'];
    });
    expect(await store.state('INBOX')).toEqual({ uidvalidity: '7', uidnext: 10, messages: 3, modseq: null });
    expect(await failure(store.state('Gone'))).toBeInstanceOf(FolderChanged);
  });

  it('only adds and removes flags, and only those that the server keeps', async () => {
    const kept = '* OK [PERMANENTFLAGS (\\Seen \\Flagged)] Kept';
    const store = await open(to('SELECT', ['* 3 EXISTS', '* OK [UIDVALIDITY 7] Valid', kept, 'OK Done']));
    const uids = Array.from({ length: 1_100 }, (_, i) => i + 1);
    await store.setFlags(inbox, uids, { add: ['\\Seen', '\\Strange'], remove: ['\\Flagged'] });
    const stored = server.heard.filter((line) => line.includes('STORE'));
    expect(stored).toHaveLength(6);
    expect(stored.every((line) => /[+-]FLAGS\.SILENT \(\\\w+\)/.test(line) && line.length < 4_096)).toBe(
      true,
    );
  });

  it('says that flags were not changed', async () => {
    const store = await open(to('UID STORE', ['NO [UNAVAILABLE] Later']));
    expect(await failure(store.setFlags(inbox, [4], { add: ['\\Seen'] }))).toBeInstanceOf(TryLater);
  });

  it.each([
    ['IMAP4rev1 MOVE', ['UID MOVE']],
    ['IMAP4rev1 UIDPLUS', ['UID COPY', 'UID STORE', 'UID EXPUNGE']],
    ['IMAP4rev1', ['UID COPY', 'UID STORE']],
  ])('moves with %s, and removes nothing else', async (capabilities, commands) => {
    server.capabilities = capabilities;
    const store = await open();
    await store.move(inbox, [4, 5], 'Archive');
    const said = server.heard.map((line) => /^(UID )?\w+/.exec(line)?.[0] ?? '');
    expect(said.filter((each) => /^UID|EXPUNGE/.test(each))).toEqual(commands);
  });

  it.each<[string, Answer]>([
    [
      'it ends in the middle',
      ({ command, socket }) => (command === 'UID FETCH' ? void socket.destroy() : undefined),
    ],
    ['it never ends', to('UID FETCH', ['* 2 FETCH (UID 5 BODY[]<0> {400}\r\nText)', 'OK Done'])],
    ['it is larger than it may be', to('UID FETCH', ['* 2 FETCH (UID 5 BODY[]<0> {999999999}', 'OK Done'])],
    ['it is no answer', to('UID FETCH', ['* 2 FETCH (UID 5 BODY[]<0> (((', 'OK Done'])],
    ['it has no message', to('UID FETCH', ['* 2 FETCH (UID 5 FLAGS ())', 'OK Done'])],
    ['it is refused', to('UID FETCH', ['NO [SERVERBUG] Sorry'])],
  ])('fails, and knows no message, when an answer is such that %s', async (_, answer) => {
    const ends = new AbortController();
    const store = await open(answer, ends.signal);
    setTimeout(() => ends.abort(), 300);
    const { message } = await failure(store.read(inbox, 5, 1_000));
    expect(message).toMatch(/^The (answer|server|connection)\b[\w [\]:]*$/);
    expect(message).not.toMatch(/Sorry|Text/);
  });

  it('does one thing after the other', async () => {
    const store = await open(to('UID SEARCH', ['* SEARCH 4 5', 'OK Done']));
    const both = await Promise.all([store.uids(inbox), store.uids({ ...inbox, path: 'Sent' })]);
    expect(both).toEqual([
      [4, 5],
      [4, 5],
    ]);
    const order = server.heard
      .filter((line) => /EXAMINE|SEARCH/.test(line))
      .map((line) => line.split(' ')[0]);
    expect(order).toEqual(['EXAMINE', 'UID', 'EXAMINE', 'UID']);
  });
});
