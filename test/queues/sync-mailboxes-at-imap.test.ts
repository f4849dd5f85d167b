import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailPorts } from '#shared/domain/mail/servers/ports.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { internet } from '#shared/providers/outside/public-request.ts';
import type { ImapMailbox } from '../support/imap/mailbox.ts';
import { ImapServer } from '../support/imap-server.ts';
import { longIt } from '../support/long.ts';
import { eml } from '../support/mail.ts';
import { givenConnected, mailboxOf, readMailbox, serveMail, subjectsIn } from '../support/mail-sync.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** What servers do wrong, from the wire to threads: no good mail is missing in the end, and nothing bad stops it. */
describe('a mailbox whose IMAP server', () => {
  let workspace: Workspace;
  let server: ImapServer;
  let served: ImapMailbox;
  let mailbox: string;
  let [run, seconds] = [0, 0];

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    workspace.ctx.config.mail_private_hosts = true;
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    run++;
    server = await new ImapServer().start();
    served = server.user('ada');
    const login = { host: '127.0.0.1', port: server.port, tls: false, username: 'ada' };
    mailbox = await givenConnected(workspace, workspace.ada, { ...login, password: 'right password' });
    for (const name of ['before', 'poison', 'after']) served.add('INBOX', mail(name));
    served.add('Sent', mail('sent'));
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    delete workspace.ctx.stand_ins?.mail_server;
    await server.stop();
  });

  const mail = (name: string, text = 'Hello') => eml({ id: `${name}-${run}@x`, subject: name, text });
  const read = () => {
    workspace.setTime(new Date(Date.now() + (seconds += 600) * 1_000));
    return readMailbox(workspace, workspace.ada, mailbox);
  };
  const subjects = () => subjectsIn(workspace.ada, mailbox);
  const good = ['after', 'before', 'sent'];
  const all = [...good, 'poison'].sort();
  /** An answer in place of that to the reading of a message, or of a folder. */
  const lines = (name: string, part: string, answer: string) => {
    server.instead = (command) =>
      command.name === name && JSON.stringify(command.args).includes(part)
        ? { lines: [answer], end: 'OK Done' }
        : undefined;
  };

  longIt.each<[string, string]>([
    ['breaks off in a list', '* 2 FETCH (UID 2 BODY[]<0> ((('],
    ['gives no message', '* 2 FETCH (UID 2 FLAGS ())'],
    ['writes a literal of no length', '* 2 FETCH (UID 2 BODY[]<0> {-5}'],
    ['writes a literal that is larger than anything', '* 2 FETCH (UID 2 BODY[]<0> {99999999999}'],
    ['writes ENVELOPE and BODYSTRUCTURE of nonsense', '* 2 FETCH (UID 2 ENVELOPE (NIL "a) BODYSTRUCTURE ((('],
  ])('%s at one message: the others are read, also in other folders', async (_, answer) => {
    server.instead = ({ name, args }) =>
      name === 'UID FETCH' && args[0] === '2' ? { lines: [answer], end: 'OK Done' } : undefined;
    for (let i = 0; i < 6; i++) await read();
    expect(await subjects()).toEqual(good);
    expect(await mailboxOf(workspace, workspace.ada, mailbox)).toMatchObject({
      ...{ status: 'active', messages_imported: 3, messages_failed: 1 },
    });
    server.instead = () => undefined;
    seconds += 3 * 86_400;
    await read();
    expect(await subjects()).toEqual(all);
  });

  longIt.each([200, 900, 1_500, 2_500])(
    'ends the connection after %i bytes: the rest comes later',
    async (bytes) => {
      server.cut_after = bytes;
      const { mail_state: state, status } = await read();
      expect(status).not.toBe('locked');
      expect(state?.refusals).toBe(0);
      server.cut_after = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 2; i++) await read();
      expect(await subjects()).toEqual(all);
    },
  );

  longIt(
    'writes 100 bytes a second once it is asked for a message: all comes when it is faster',
    async () => {
      const outside = { ...internet, ports: mailPorts, answer_time: 1_000 };
      serveMail(workspace, mailServersAt(true, outside));
      server.done = ({ name }) => {
        if (name === 'UID FETCH') server.pace = 1;
        return undefined;
      };
      for (let i = 0; i < 4; i++) {
        server.pace = Number.POSITIVE_INFINITY;
        const { status, mail_state: state, messages_failed } = await read();
        expect([status === 'locked', state?.refusals, messages_failed ?? 0]).toEqual([false, 0, 0]);
        expect(await subjects()).toEqual([]);
      }
      server.done = () => undefined;
      server.pace = Number.POSITIVE_INFINITY;
      await read();
      expect(await subjects()).toEqual(all);
    },
  );

  it('changes the password while it is read locks it after three refusals', async () => {
    server.done = ({ name }) => {
      if (name !== 'UID FETCH') return undefined;
      server.users.set('ada', Object.assign(served, { password: 'another password' }));
      return 'drop';
    };
    await read();
    server.done = () => undefined;
    for (let i = 0; i < 3; i++) await read();
    expect(await mailboxOf(workspace, workspace.ada, mailbox)).toMatchObject({ status: 'locked' });
  });

  longIt('has NUL in headers, a folder INBOX/INBOX, and names in broken UTF-7', async () => {
    served.add('INBOX', Buffer.from(mail('nul').toString().replace('Subject: nul', 'Subject: n\0ul')));
    served.create('INBOX/INBOX').add(mail('inner'));
    Object.assign(served.create('Broken'), { wire_name: 'Broken&AP' }).add(mail('hidden'));
    await read();
    const found = await subjects();
    expect(found).toEqual(expect.arrayContaining([...all, 'inner']));
    expect(found.filter((subject) => /^n.?ul$/.test(subject))).toHaveLength(1);
  });

  longIt('answers nonsense about one folder: the others are read', async () => {
    lines('STATUS', 'Sent', '* STATUS Sent (MESSAGES many UIDNEXT (');
    await read();
    expect(await subjects()).toEqual(['after', 'before', 'poison']);
    server.instead = () => undefined;
    await read();
    expect(await subjects()).toEqual(all);
  });
});
