import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailSyncJob } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import type { ImapMailbox } from '../support/imap/mailbox.ts';
import { ImapServer } from '../support/imap-server.ts';
import { rounds } from '../support/long.ts';
import { eml } from '../support/mail.ts';
import { givenConnected, readMailbox, runMailSync, subjectsIn } from '../support/mail-sync.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** FOLDERS=10000 takes as many as are read, MESSAGES=100000 a folder that is compared in parts. */
const FOLDERS = Number(process.env.FOLDERS ?? rounds(300, 1_000));
const MESSAGES = Number(process.env.MESSAGES ?? rounds(4_000, 20_000));

/** Mailboxes of the largest size that a server may have. */
describe('a mailbox', () => {
  let workspace: Workspace;
  let server: ImapServer;
  let served: ImapMailbox;
  let mailbox: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    workspace.ctx.config.mail_private_hosts = true;
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    server = await new ImapServer().start();
    served = server.user('ada');
    const login = { host: '127.0.0.1', port: server.port, tls: false, username: 'ada' };
    mailbox = await givenConnected(workspace, workspace.ada, { ...login, password: 'right password' });
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    await server.stop();
  });

  const mail = (name: string) => eml({ id: `${name}@x`, subject: name, text: 'Hello' });
  const report = async () =>
    (await workspace.ada.reader.retrieveSyncReport({ params: { mailbox_id: mailbox } })).body.sync_report;

  it('of many folders is read, its report is whole, and a run of nothing new looks at few', {
    timeout: 600_000,
  }, async () => {
    const NAME = 'Ordner für Verträge und Rechnungen '.repeat(5);
    for (let i = served.folders.size; i < FOLDERS - 1; i++) served.create(`${NAME}${i}`);
    served.create('Last').add(mail('last'));
    served.add('INBOX', mail('first'));
    await readMailbox(workspace, workspace.ada, mailbox);
    expect(await subjectsIn(workspace.ada, mailbox)).toEqual(['first', 'last']);
    const { folders } = await report();
    expect(folders).toHaveLength(FOLDERS);
    expect(folders.filter(({ messages_at_provider }) => messages_at_provider === 1)).toHaveLength(2);
    expect(Buffer.byteLength(JSON.stringify(folders))).toBeLessThan(6_000_000);
    server.asked.splice(0);
    await readMailbox(workspace, workspace.ada, mailbox);
    expect(server.asked.filter((line) => line.startsWith('STATUS')).length).toBeLessThan(250);
    // Each folder has its turn: the last one in the last round.
    served.folder('Last').add(mail('later'));
    const { table, account_id } = workspace;
    const key = keys.mailbox(account_id, mailbox);
    await table.update<Mailbox>(key, { set: { mail_state: at('round', FOLDERS / 100 - 2) } });
    await readMailbox(workspace, workspace.ada, mailbox);
    expect(await subjectsIn(workspace.ada, mailbox)).toEqual(['first', 'last', 'later']);
  });

  it('of many messages in a folder is begun with the newest, and goes on where a run ended', {
    timeout: 600_000,
  }, async () => {
    const inbox = served.folder('INBOX');
    for (let i = 1; i <= MESSAGES; i++) {
      const message = inbox.add('', { received_at: new Date(Date.UTC(2020, 0, 1) + i * 60_000) });
      Object.defineProperty(message, 'raw', { get: () => mail(`m${String(i).padStart(6, '0')}`) });
    }
    const job = mailSyncJob({ account_id: workspace.account_id, id: mailbox }, new Date());
    await commit(workspace.ctx, { writes: [], jobs: [job] });
    // The time of each run is over once a message was read.
    let minutes = 0;
    server.done = ({ name, args }) => {
      if (name === 'UID FETCH' && /BODY/.test(JSON.stringify(args)))
        workspace.setTime(new Date(Date.now() + ++minutes * 300_000));
      return undefined;
    };
    const newest: number[] = [];
    for (let run = 0; run < 3; run++) {
      await runMailSync(workspace, 900_000, 1);
      const subjects = await subjectsIn(workspace.ada, mailbox);
      newest.push(subjects.length);
      expect(subjects.at(-1)).toBe(`m${String(MESSAGES).padStart(6, '0')}`);
      expect(subjects[0]).toBe(`m${String(MESSAGES + 1 - subjects.length).padStart(6, '0')}`);
    }
    expect(newest).toEqual([...new Set(newest)].sort((a, b) => a - b));
    const { mailbox: shown } = (await workspace.ada.reader.retrieveMailbox({ params: { id: mailbox } })).body;
    const read = newest.at(-1) ?? 0;
    const backfill_percent = Math.floor((100 * read) / MESSAGES);
    expect(shown.sync).toMatchObject({ backfill_percent, messages_imported: read });
  });
});
