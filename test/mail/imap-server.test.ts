import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImapServer } from '../support/imap-server.ts';
import { type RawImap, rawImap } from './raw-imap.ts';
import { type MailServers, startMailServers } from './servers.ts';

/** What the server of `npm test` answers is what Dovecot answers. */

const MESSAGE = 'From: ada@acme.example\r\nMessage-ID: <one@acme.example>\r\nSubject: One\r\n\r\nText\r\n';
const OTHER =
  'From: grace@acme.example\r\nMessage-ID: <two@acme.example>\r\nSubject:\r\n Two\r\n\r\nText\r\n.\r\n';
const append = (folder: string, raw: string, flags = '') =>
  `APPEND ${folder} ${flags}"01-Nov-2026 09:00:00 +0000" {${raw.length}+}\r\n${raw}`;

/** Each is one session, in which the commands run one after the other. */
const scripts: Record<string, string[]> = {
  'lists folders': [
    'LIST "" "*"',
    'LIST "" "%" RETURN (SPECIAL-USE STATUS (MESSAGES UIDNEXT))',
    'LIST "" ""',
    'LIST "" "nothing"',
    'NAMESPACE',
  ],
  'makes, renames and removes folders': [
    'CREATE Projects/2026',
    'CREATE "Entw&APw-rfe"',
    'CREATE Sent',
    'LIST "" "*"',
    'RENAME Projects Work',
    'RENAME Nowhere Somewhere',
    'RENAME Work/2026 Sent',
    'LIST "" "Work*"',
    'STATUS Work/2026 (MESSAGES UIDNEXT UNSEEN)',
    'DELETE Work/2026',
    'DELETE "Entw&APw-rfe"',
    'DELETE Nowhere',
    'DELETE INBOX',
    'STATUS Nowhere (MESSAGES)',
  ],
  'appends, and reads without marking': [
    append('Sent', MESSAGE, '(\\Seen $Label) '),
    append('Sent', OTHER),
    append('Nowhere', MESSAGE),
    'STATUS Sent (MESSAGES UIDNEXT UNSEEN)',
    'EXAMINE Sent',
    'UID FETCH 1:* (FLAGS RFC822.SIZE INTERNALDATE)',
    'UID FETCH 2 (BODY.PEEK[])',
    'UID FETCH 2 (BODY.PEEK[]<5.10>)',
    'UID FETCH 2 (BODY.PEEK[]<5000.10>)',
    'UID FETCH 1 BODY.PEEK[HEADER]',
    'UID FETCH 2 (BODY.PEEK[HEADER.FIELDS (Subject Message-ID)])',
    'UID FETCH 1 BODY.PEEK[TEXT]',
    'UID FETCH 9 (FLAGS)',
    'UID FETCH 9:* (FLAGS)',
    'FETCH 1:2 (UID FLAGS)',
    'UID FETCH 2 (BODY[])',
    'UID FETCH 2 (FLAGS)',
    'SELECT Sent',
    'UID FETCH 2 (UID BODY[TEXT])',
    'UID FETCH 2 (FLAGS)',
    'SELECT Nowhere',
    'UID FETCH 1 (FLAGS)',
  ],
  searches: [
    'SELECT Sent',
    'UID SEARCH ALL',
    'UID SEARCH UID 2:*',
    'UID SEARCH UID 50:*',
    'UID SEARCH HEADER Message-ID <one@acme.example>',
    'UID SEARCH HEADER "Message-ID" "ACME"',
    'UID SEARCH HEADER Subject Two',
    'UID SEARCH UNSEEN',
    'UID SEARCH NOT KEYWORD $Label',
    'SEARCH 1 SEEN',
    'UID SEARCH HEADER {10+}\r\nMessage-ID {3+}\r\none',
  ],
  'changes flags': [
    'SELECT Sent',
    'UID STORE 1 +FLAGS (\\Flagged)',
    'UID STORE 1:2 +FLAGS.SILENT (\\Answered)',
    'UID STORE 1 -FLAGS (\\Flagged $Label)',
    'UID STORE 1 -FLAGS (\\Flagged)',
    'UID STORE 2 FLAGS (\\Draft)',
    'UID STORE 77 +FLAGS (\\Flagged)',
    'UID FETCH 1:* (FLAGS)',
    'NOOP',
  ],
  'tells what changed': [
    'ENABLE CONDSTORE',
    'STATUS Sent (MESSAGES HIGHESTMODSEQ)',
    'SELECT Sent',
    'UID FETCH 1:* (FLAGS) (CHANGEDSINCE 1)',
    'UID FETCH 1:* (FLAGS) (CHANGEDSINCE 1000)',
    'UID STORE 1 +FLAGS.SILENT (\\Flagged)',
    'UID STORE 1 +FLAGS (\\Seen)',
    append('Sent', MESSAGE),
    'NOOP',
  ],
  'copies, moves and removes': [
    'ENABLE CONDSTORE',
    'SELECT Sent',
    'UID COPY 1 Archive',
    'UID COPY 1 Nowhere',
    'UID COPY 88 Archive',
    'UID MOVE 1:2 Trash',
    'NOOP',
    'STATUS Trash (MESSAGES UIDNEXT)',
    'UID FETCH 1:* (FLAGS)',
    'UID STORE 3 +FLAGS (\\Deleted)',
    'UID EXPUNGE 99',
    'UID EXPUNGE 3',
    'UID SEARCH ALL',
    'UNSELECT',
    'SELECT Trash',
    'STORE 1 +FLAGS (\\Deleted)',
    'CLOSE',
    'STATUS Trash (MESSAGES)',
  ],
  'refuses what it does not know': ['NONSENSE', 'UID NONSENSE', 'FETCH 1 (FLAGS)', 'CHECK'],
};

/** Without the words for people, the numbers that servers choose, and what each may add. */
function plain(line: string, counting: boolean): string[] {
  const text = line
    .replace(/^A\d+ /, 'TAG ')
    .replace(/ ?\\(Recent|HasNoChildren|HasChildren|UnMarked|Marked|Subscribed|NoInferiors)\b/gi, '')
    .replace(/\(\s+/g, '(')
    .replace(/(UIDVALIDITY|APPENDUID|COPYUID|HIGHESTMODSEQ) \d+/g, '$1 V')
    .replace(/\[CAPABILITY IMAP4rev1 [^\]]*\]/, '[CAPABILITY]')
    .replace(/MODSEQ \(\d+\)/g, 'MODSEQ (V)')
    .replace(/\(((?:\\|\$)[^()]*)\)/g, (_, flags: string) => `(${flags.split(' ').sort().join(' ')})`)
    .replace(/^(TAG|\*) (OK|NO|BAD|BYE)( \[[^\]]*\])?.*$/, '$1 $2$3');
  if (!counting && text.startsWith('* OK [HIGHESTMODSEQ')) return [];
  return /^\* (\d+ RECENT|OK \[(UNSEEN|NOMODSEQ|CLOSED).*|OK)$/.test(text) ? [] : [text];
}

describe('the IMAP server of the tests answers like Dovecot', () => {
  let servers: MailServers;
  const own = new ImapServer();
  beforeAll(async () => {
    servers = await startMailServers({ passwords: { ada: 'right password' } });
    own.user('ada');
    await own.start();
  });
  afterAll(async () => {
    await own.stop();
    await servers?.stop();
  });

  const answers = async (client: RawImap, commands: string[]) => {
    const all: string[] = [];
    // Otherwise each server says whether it counts changes when it likes to.
    const counting = commands.includes('ENABLE CONDSTORE');
    for (const command of commands) {
      const lines = (await client.ask(command)).flatMap((line) => plain(line, counting));
      if (/^LIST/.test(command)) lines.sort();
      all.push(`> ${command}`, ...lines);
    }
    client.close();
    return all;
  };

  it.each(Object.entries(scripts))('when it %s', async (_, commands) => {
    const signIn = 'LOGIN ada "right password"';
    const real = await answers(await rawImap(servers.dovecot.tls_port, true), [signIn, ...commands]);
    const ours = await answers(await rawImap(own.port, false), [signIn, ...commands]);
    expect(ours).toEqual(real);
  });
});
