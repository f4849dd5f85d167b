import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { LoginFailed, LoginRefused, ServerUnreachable } from '#shared/domain/mail/servers/failures.ts';
import { removeCopies } from '#shared/domain/mail/sync/copies.ts';
import type { MailCopy } from '#shared/domain/mail/sync/copy.ts';
import { foldersOf } from '#shared/domain/mail/sync/progress.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as doDueWork } from '../../functions/queues/do-due-work.ts';
import { handler as sweep } from '../../functions/queues/sweep-jobs.ts';
import { handler as syncLabels } from '../../functions/queues/sync-labels.ts';
import { crashAfter } from '../support/faults.ts';
import { deliverMessages, openJobs, sentTooOften } from '../support/jobs.ts';
import { longIt } from '../support/long.ts';
import { eml, listAllThreads } from '../support/mail.ts';
import {
  givenConnected,
  mailboxOf,
  readMailbox,
  runMailSync,
  serveMail,
  subjectsIn,
} from '../support/mail-sync.ts';
import { StoredMail } from '../support/stored-mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('a mailbox that is read from its server', () => {
  let workspace: Workspace;
  let server: StoredMail;
  let mailbox: string;
  let [name, seconds] = [0, 0];

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    name++;
    server = new StoredMail()
      .folder('INBOX', { role: 'inbox' })
      .folder('Sent', { role: 'sent' })
      .folder('Junk', { role: 'spam' });
    serveMail(workspace, server);
    mailbox = await givenConnected(workspace, workspace.ada);
  });
  afterEach(() => workspace.setTime(undefined));

  const mail = (i: number | string) => eml({ id: `sync-${name}-${i}@x`, subject: `Mail ${i}` });
  /** Folders that have just been compared are not compared again. */
  const later = () => workspace.setTime(new Date(Date.now() + (seconds += 10) * 1_000));
  const read = () => {
    later();
    return readMailbox(workspace, workspace.ada, mailbox);
  };
  const subjects = () => subjectsIn(workspace.ada, mailbox);
  const report = async () =>
    (await workspace.ada.reader.retrieveSyncReport({ params: { mailbox_id: mailbox } })).body.sync_report;
  const counts = (there: number, imported: number, skipped: number) => ({
    ...{ messages_at_provider: there, messages_imported: imported },
    ...{ messages_skipped: skipped, messages_failed: 0 },
  });
  const folderOf = async () => {
    const folder = (await foldersOf(workspace.table, mailbox)).find(({ path }) => path === 'INBOX');
    return { PK_COPIES: keys.mailCopy(`${folder?.id}`, '', 0).PK };
  };
  const storedCopies = async () => {
    const all = await foldersOf(workspace.table, mailbox);
    const copies = await Promise.all(
      all.map(({ id }) => workspace.table.all(keys.mailCopy(id, '', 0).PK, 'COPY#')),
    );
    return copies.flat().length;
  };

  longIt('has all of its mail here, and says so', async () => {
    for (let i = 1; i <= 5; i++) server.add('INBOX', mail(i), { seen: i > 3, flagged: i === 2 });
    server.add('Sent', mail('s'));
    server.add('Junk', mail('spam'));
    const after = await read();
    expect(after).toMatchObject({
      ...{ status: 'active', messages_imported: 6, messages_failed: 0 },
      mail_state: { backfill_percent: 100, messages_pending: 0, failures: 0, last_error: null },
    });
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2', 'Mail 3', 'Mail 4', 'Mail 5', 'Mail s']);
  });

  longIt('gets new mail, and nothing twice', async () => {
    server.add('INBOX', mail(1));
    await read();
    server.add('INBOX', mail(2));
    server.asked.length = 0;
    await read();
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2']);
    expect(server.asked.filter((call) => call.startsWith('read'))).toEqual(['read INBOX 2']);
    server.asked.length = 0;
    await read();
    expect(server.asked).toEqual(['login ada', 'list', 'state INBOX', 'state Sent', 'state Junk', 'close']);
    expect((await mailboxOf(workspace, workspace.ada, mailbox)).messages_imported).toBe(2);
  });

  longIt('reads the newest mail first, and takes the marks of its owner over', async () => {
    for (let i = 1; i <= 3; i++) server.add('INBOX', mail(i), { seen: i !== 2, flagged: i === 3 });
    await read();
    expect(server.asked.filter((call) => call.startsWith('read'))).toEqual(
      [3, 2, 1].map((i) => `read INBOX ${i}`),
    );
    const threads = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
    const marks = threads.map(({ subject, read: isRead, flagged }) => ({
      subject,
      unread: !isRead,
      flagged,
    }));
    expect(marks.sort((a, b) => `${a.subject}`.localeCompare(`${b.subject}`))).toEqual([
      { subject: 'Mail 1', unread: false, flagged: false },
      { subject: 'Mail 2', unread: true, flagged: false },
      { subject: 'Mail 3', unread: false, flagged: true },
    ]);
  });

  it('does not believe lines in a mail that say how it is marked', async () => {
    const headers = ['Status: R', 'X-Status: F', 'X-Gmail-Labels: Opened,Starred,Category Promotions'];
    server.add('INBOX', eml({ id: `marked-${name}@x`, subject: 'Marked', headers }));
    await read();
    const [thread] = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
    expect(thread).toMatchObject({ read: false, flagged: false });
  });

  longIt('leaves out drafts, spam, and what is older than it begins', async () => {
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox), {
      set: { backfill_from: '2026-10-01' },
    });
    server.add('INBOX', mail('new'));
    server.add('INBOX', mail('old'), { received_at: new Date('2026-09-30T23:59:00Z') });
    server.add('INBOX', mail('draft'), { draft: true });
    server.add('Junk', mail('spam'));
    await read();
    expect(await subjects()).toEqual(['Mail new']);
    expect((await report()).folders).toEqual([
      { name: 'INBOX', ...counts(3, 1, 2) },
      { name: 'Sent', ...counts(0, 0, 0) },
      { name: 'Junk', ...counts(1, 0, 1) },
    ]);
    later();
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox), {
      set: { backfill_from: null, mail_compare_after: workspace.ctx.clock().toISOString() },
    });
    await read();
    expect(await subjects()).toEqual(['Mail new', 'Mail old']);
  });

  longIt('knows a message that was moved, and forgets one that is gone', async () => {
    server.folder('Archive', { role: 'archive' });
    const [moved, gone] = [1, 2, 3].map((i) => server.add('INBOX', mail(i)));
    await read();
    server.move('INBOX', moved as number, 'Archive');
    server.remove('INBOX', gone as number);
    await read();
    expect(await subjects()).toEqual(['Mail 1', 'Mail 3']);
    const { folders } = await report();
    expect(folders.map(({ name: path, messages_imported }) => [path, messages_imported])).toEqual([
      ['INBOX', 1],
      ['Sent', 0],
      ['Archive', 1],
      ['Junk', 0],
    ]);
    server.add('INBOX', mail(2));
    await read();
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2', 'Mail 3']);
  });

  longIt('believes no loss before all folders were read: a message that moves meanwhile stays', async () => {
    const uid = server.add('INBOX', mail(1));
    server.add('INBOX', mail(2));
    await read();
    server.folder('Archive');
    // The other folders were asked before, and the inbox is when it is gone.
    const late = server.add('INBOX', mail(3));
    server.before = (call) => {
      if (call === 'state Junk' && server.at('INBOX').messages.has(uid)) server.move('INBOX', uid, 'Archive');
    };
    server.remove('INBOX', late);
    await read();
    await read();
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2']);
    expect((await report()).folders).toMatchObject([
      { name: 'INBOX', ...counts(1, 1, 0) },
      { name: 'Sent' },
      { name: 'Archive', ...counts(1, 1, 0) },
      { name: 'Junk' },
    ]);
  });

  longIt.each([
    ['has other UIDs', () => server.renumber('INBOX')],
    ['was renamed', () => server.rename('INBOX', 'Inbox/2026')],
  ])('reads a folder again that %s, without doubling or telling anybody', async (_what, change) => {
    for (let i = 1; i <= 3; i++) server.add('INBOX', mail(i));
    await read();
    const [thread] = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
    await workspace.ada.api.resolveThread({ params: { thread_id: `${thread?.id}` }, body: {} });
    change();
    const after = await read();
    expect(after).toMatchObject({ messages_imported: 3, messages_failed: 0 });
    const threads = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
    expect(threads).toHaveLength(3);
    expect(threads.filter(({ resolved }) => resolved)).toHaveLength(1);
    const { folders } = await report();
    expect(folders.find(({ messages_at_provider }) => messages_at_provider === 3)).toMatchObject(
      counts(3, 3, 0),
    );
    expect(await storedCopies()).toBe(3);
  });

  longIt('follows a folder by the id that its server has for it', async () => {
    server.folder('Work', { server_id: 'f1' });
    server.add('Work', mail(1));
    await read();
    server.rename('Work', 'Work/2026');
    server.asked.length = 0;
    await read();
    expect(server.asked.filter((call) => call.startsWith('read'))).toEqual([]);
    expect((await report()).folders.map(({ name: path }) => path)).toEqual([
      'INBOX',
      'Sent',
      'Junk',
      'Work/2026',
    ]);
  });

  longIt('reads UIDs again that a restored server gives to other messages', async () => {
    for (let i = 1; i <= 3; i++) server.add('INBOX', mail(i));
    await read();
    server.remove('INBOX', 3);
    server.at('INBOX').uidnext = 3;
    await read();
    server.add('INBOX', mail('other'), { uid: 3 });
    await read();
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2', 'Mail other']);
    expect((await report()).folders[0]).toMatchObject(counts(3, 3, 0));
  });

  longIt('counts what is in a folder of all mail as well once', async () => {
    server.folder('All', { role: 'all' });
    for (let i = 1; i <= 2; i++) {
      server.add('INBOX', mail(i));
      server.add('All', mail(i));
    }
    server.add('All', mail('archived'));
    const after = await read();
    expect(after.messages_imported).toBe(3);
    expect((await report()).folders.at(-1)).toEqual({ name: 'All', ...counts(3, 1, 2) });
    server.remove('INBOX', 1);
    await read();
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2', 'Mail archived']);
  });

  longIt('keeps the text and the whole attachments of a message over 25 MB', async () => {
    const part = (type: string, text: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
    const big = Buffer.from(
      `Message-ID: <big-${name}@x>\r\nSubject: Big\r\nFrom: p@ferries.example\r\nTo: ada@acme.example\r\n` +
        `Date: Mon, 02 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
        part('text/plain', 'The text.') +
        part('image/png; name=small.png', 'abc') +
        part('application/zip; name=big.zip', 'x'.repeat(26 * 1024 * 1024)) +
        '--b--\r\n',
    );
    server.add('INBOX', big);
    await read();
    const [thread] = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
    const { body } = await workspace.ada.reader.retrieveThread({ params: { id: `${thread?.id}` } });
    const [message] = body.thread.messages ?? [];
    expect(message?.body).toMatchObject({
      new_plain_text: expect.stringContaining('The text.'),
      truncated: true,
    });
    expect(message?.attachments?.map(({ file }) => file?.file_name)).toEqual(['small.png']);
  });

  longIt('lists a message that cannot be read, and tries it again later; the others are read', async () => {
    server.add('INBOX', mail(1));
    server.add('INBOX', Buffer.from('no header at all'));
    server.add('INBOX', mail(3));
    expect(await read()).toMatchObject({ messages_imported: 2, messages_failed: 1, status: 'active' });
    const shown = await report();
    expect(shown.recent_failures).toMatchObject([
      {
        rfc_id: null,
        subject: null,
        reason: 'not_a_message',
        attempts: 1,
        next_attempt_at: expect.any(String),
      },
    ]);
    expect(shown.folders[0]).toMatchObject({ ...counts(3, 2, 0), messages_failed: 1 });
    // The server tells it better.
    const stored = server.at('INBOX').messages.get(2);
    if (stored) stored.raw = mail(2);
    later();
    await workspace.ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: { full: true } });
    await runMailSync(workspace);
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2', 'Mail 3']);
    expect(await report()).toMatchObject({ recent_failures: [], folders: [counts(3, 3, 0), {}, {}] });
  });

  longIt('goes on where it was when its time was up, also in the middle of a folder', async () => {
    for (let i = 1; i <= 3; i++) server.add('Sent', mail(`s${i}`));
    for (let i = 1; i <= 450; i++) server.add('INBOX', i === 450 ? mail(i) : Buffer.from(`broken ${i}`));
    await workspace.ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: {} });
    server.before = (call) => {
      if (call === 'read INBOX 300') workspace.setTime(new Date(workspace.ctx.clock().getTime() + 300_000));
    };
    await runMailSync(workspace, 900_000, 1);
    workspace.setTime(undefined);
    server.before = () => undefined;
    expect(await mailboxOf(workspace, workspace.ada, mailbox)).toMatchObject({
      status: 'importing',
      mail_state: { backfill_percent: 44, messages_pending: 253 },
    });
    expect((await report()).folders).toMatchObject([
      { messages_at_provider: 450, messages_imported: 1, messages_failed: 199 },
      { messages_at_provider: 3, messages_imported: 0 },
      {},
    ]);
    const after = await read();
    expect(after).toMatchObject({ messages_imported: 4, messages_failed: 449, status: 'active' });
    expect(await report()).toMatchObject({
      folders: [{ messages_imported: 1, messages_failed: 449 }, counts(3, 3, 0), {}],
    });
  });

  longIt('closes a difference with the server, and says so', async () => {
    for (let i = 1; i <= 4; i++) server.add('INBOX', mail(i));
    await read();
    const [copy] = await workspace.table.all<MailCopy>((await folderOf()).PK_COPIES, 'COPY#');
    await removeCopies(workspace.table, [copy as MailCopy]);
    later();
    await workspace.ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: { full: true } });
    await runMailSync(workspace);
    expect(await report()).toMatchObject({ messages_recovered: 1, folders: [counts(4, 4, 0), {}, {}] });
    expect(await subjects()).toHaveLength(4);
  });

  longIt.each([true, false])(
    'follows marks that were changed at the server, which counts changes: %s',
    async (counts) => {
      server.condstore = counts;
      for (let i = 1; i <= 3; i++) server.add('INBOX', mail(i));
      await read();
      server.mark('INBOX', 2, { seen: true });
      server.mark('INBOX', 3, { flagged: true });
      await read();
      const threads = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
      const marks = threads.map(({ subject, read: isRead, flagged }) => [subject, isRead, flagged]);
      expect(marks.sort()).toEqual([
        ['Mail 1', false, false],
        ['Mail 2', true, false],
        ['Mail 3', false, true],
      ]);
      expect(await openJobs(workspace.table, 'sync-labels')).toEqual([]);
    },
  );

  describe('in which marks change with a copy', () => {
    /** Unread and flagged, by subject. */
    const marks = async () => {
      const threads = await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });
      const all = threads.map(({ subject, read: isRead, flagged }) => [
        `${subject}`,
        `${isRead ? 'read' : 'unread'}${flagged ? ', flagged' : ''}`,
      ]);
      return Object.fromEntries(all) as Record<string, string>;
    };

    longIt.each([true, false])(
      'a message is marked and moved; the server counts changes: %s',
      async (counts) => {
        server.condstore = counts;
        server.folder('Archive', { role: 'archive' });
        for (let i = 1; i <= 3; i++) server.add('INBOX', mail(i), { flagged: i === 3 });
        await read();
        for (const uid of [1, 2, 3]) {
          if (uid !== 2) server.mark('INBOX', uid, { seen: true, flagged: uid === 1 });
          server.move('INBOX', uid, 'Archive');
        }
        await read();
        expect(await marks()).toEqual({ 'Mail 1': 'read, flagged', 'Mail 2': 'unread', 'Mail 3': 'read' });
        expect(await openJobs(workspace.table, 'sync-labels')).toEqual([]);
      },
    );

    longIt('the unread, flagged message of a thread is deleted', async () => {
      server.add('INBOX', mail(1), { seen: true });
      const answer = { in_reply_to: `sync-${name}-1@x`, date: 'Mon, 02 Nov 2026 11:00:00 +0000' };
      const uid = server.add('INBOX', eml({ id: `sync-${name}-2@x`, subject: 'Re: Mail 1', ...answer }), {
        flagged: true,
      });
      await read();
      expect(await marks()).toEqual({ 'Mail 1': 'unread, flagged' });
      server.remove('INBOX', uid);
      await read();
      expect(await marks()).toEqual({ 'Mail 1': 'read' });
    });

    longIt(
      'a message is moved before its flag is written there: one of the same Message-ID stays as it is',
      async () => {
        const { ada, table } = workspace;
        await table.update<User>(keys.user(workspace.account_id, ada.user.id), {
          set: { label_sync_mailbox_ids: new Set([mailbox]) },
        });
        server.folder('Archive', { role: 'archive' });
        const id = `sync-${name}@x`;
        const uid = server.add('INBOX', eml({ id, subject: 'Own' }));
        const other = server.add('INBOX', eml({ id, subject: 'Other', from: 'mallory@x.example' }));
        await read();
        const moved = server.move('INBOX', uid, 'Archive');
        const own = (await listAllThreads(ada.reader, { mailbox_id: mailbox })).find(
          ({ subject }) => subject === 'Own',
        );
        await ada.api.flagThread({ params: { thread_id: own?.id as string } });
        for (const job of await openJobs(table, 'sync-labels'))
          await deliverMessages(syncLabels, [{ job_id: job.id }]);
        const isFlagged = (path: string, of: number) => server.at(path).messages.get(of)?.flagged;
        expect([isFlagged('Archive', moved), isFlagged('INBOX', other)]).toEqual([true, false]);
        await read();
        expect(await marks()).toEqual({ Own: 'unread, flagged', Other: 'unread' });
      },
    );

    it('a message is only in the folder of all mail any more, and is marked there', async () => {
      server.folder('All', { role: 'all' });
      const [uid, there] = [server.add('INBOX', mail(1)), server.add('All', mail(1))];
      await read();
      server.remove('INBOX', uid);
      await read();
      server.mark('All', there, { seen: true, flagged: true });
      await read();
      expect(await marks()).toEqual({ 'Mail 1': 'read, flagged' });
    });
  });

  describe('whose server', () => {
    const failing = (when: (call: string) => boolean, error: () => Error) => {
      server.before = (call) => {
        if (when(call)) throw error();
      };
    };
    const isLogin = (call: string) => call.startsWith('login');

    longIt.each([
      ['cannot be reached', () => new ServerUnreachable(), 'connection_failed', 120],
      ['asks to wait', () => new TryLater('Later', 1_800), 'provider_rate_limited', 1_800],
      ['answers nonsense', () => new Error('Huh?'), 'provider_failed', 120],
    ])('%s is not locked, and tried again later', async (_what, error, code, seconds) => {
      failing(isLogin, error);
      for (let i = 0; i < 4; i++) {
        const { mail_state: state, status } = await read();
        expect(status).toBe('connecting');
        expect(state).toMatchObject({ failures: i + 1, refusals: 0, last_error: { code } });
        const wait = Date.parse(`${state?.next_at}`) - Date.parse(`${state?.last_finished_at}`);
        expect(wait).toBeGreaterThanOrEqual(seconds * 1_000);
      }
      server.before = () => undefined;
      expect(await read()).toMatchObject({ status: 'active', mail_state: { failures: 0, last_error: null } });
    });

    longIt('refuses the login three times in a row is locked, and left alone; success resets', async () => {
      failing(isLogin, () => new LoginRefused());
      await read();
      await read();
      server.before = () => undefined;
      expect(await read()).toMatchObject({ status: 'active', mail_state: { refusals: 0 } });
      failing(isLogin, () => new LoginRefused());
      for (let i = 0; i < 3; i++) await read();
      expect(await mailboxOf(workspace, workspace.ada, mailbox)).toMatchObject({
        ...{ status: 'locked', lock: { code: 'authentication_failed' } },
        mail_state: { next_at: null, refusals: 3 },
      });
      server.asked.length = 0;
      await read();
      expect(server.asked).toEqual([]);
    });

    it.each([
      ['refuses the login', () => new LoginRefused()],
      ['lets nobody in', () => new LoginFailed('No', 600)],
    ])(
      '%s is left alone until it is due, also when somebody asks; with full then all is compared',
      async (_what, error) => {
        failing(isLogin, error);
        const before = await read();
        const asking = (full: boolean) =>
          workspace.ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: { full } });
        server.asked.length = 0;
        for (const full of [false, true]) {
          expect((await asking(full)).status).toBe(202);
          await runMailSync(workspace);
        }
        expect(server.asked).toEqual([]);
        const after = await mailboxOf(workspace, workspace.ada, mailbox);
        expect(after.mail_state).toEqual(before.mail_state);
        expect(after.mail_compare_after).toBeDefined();
        workspace.setTime(new Date(Date.parse(`${before.mail_state?.next_at}`) + 1_000));
        await asking(false);
        await runMailSync(workspace);
        expect(server.asked).toHaveLength(1);
      },
    );

    it('cannot tell one folder: the others are read', async () => {
      for (const path of ['INBOX', 'Sent']) server.add(path, mail(path));
      failing(
        (call) => call === 'state INBOX',
        () => new Error('Broken'),
      );
      expect(await read()).toMatchObject({ mail_state: { last_error: { code: 'provider_failed' } } });
      expect(await subjects()).toEqual(['Mail Sent']);
    });

    it('cannot tell one message: it is a failure', async () => {
      for (let i = 1; i <= 3; i++) server.add('INBOX', mail(i));
      failing(
        (call) => call === 'read INBOX 2',
        () => new Error('Broken'),
      );
      expect(await read()).toMatchObject({ messages_imported: 2, messages_failed: 1 });
      expect((await report()).recent_failures).toMatchObject([{ reason: 'provider_failed' }]);
    });

    longIt('goes away at one message each time: it is a failure, and the others are read', async () => {
      for (let i = 1; i <= 5; i++) server.add('INBOX', mail(i));
      failing(
        (call) => call === 'read INBOX 3',
        () => new ServerUnreachable(),
      );
      for (let i = 0; i < 7; i++) await read();
      expect(await mailboxOf(workspace, workspace.ada, mailbox)).toMatchObject({
        ...{ messages_imported: 4, messages_failed: 1, status: 'active' },
      });
    });
  });

  longIt('forgets what a worker began that died, and what was deleted before the next one', async () => {
    server.add('INBOX', mail('stays'));
    await read();
    for (let call = 1, killed = true; killed; call += 7) {
      const uid = server.add('INBOX', mail(`fleeting-${call}`));
      await workspace.ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: {} });
      const death = crashAfter(workspace.table, call);
      await runMailSync(workspace, 900_000, 1).catch(() => undefined);
      death.remove();
      killed = death.hit;
      server.remove('INBOX', uid);
      seconds += 1_200;
      await read();
      await read();
      expect([call, await subjects()]).toEqual([call, ['Mail stays']]);
    }
  });

  longIt('counts in its report all folders of one run', async () => {
    for (const path of ['INBOX', 'Sent']) server.add(path, mail(path));
    await read();
    const before = await report();
    for (const path of ['INBOX', 'Sent']) server.add(path, mail(`${path} 2`));
    await workspace.ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: {} });
    server.before = (call) => {
      if (call === 'state Sent') workspace.setTime(new Date(workspace.ctx.clock().getTime() + 300_000));
    };
    await runMailSync(workspace, 900_000, 1);
    server.before = () => undefined;
    expect(await report()).toEqual(before);
    await read();
    expect((await report()).folders).toEqual([
      { name: 'INBOX', ...counts(2, 2, 0) },
      { name: 'Sent', ...counts(2, 2, 0) },
      { name: 'Junk', ...counts(0, 0, 0) },
    ]);
  });

  longIt('stops with its account, and is planned every two minutes while it is open', async () => {
    server.add('INBOX', mail(1));
    const { mail_state: state } = await read();
    expect(Date.parse(`${state?.next_at}`) - Date.parse(`${state?.last_finished_at}`)).toBe(120_000);
    workspace.setTime(new Date(Date.parse(`${state?.next_at}`) + 1_000));
    server.add('INBOX', mail(2));
    await doDueWork();
    await runMailSync(workspace);
    workspace.setTime(undefined);
    expect(await subjects()).toEqual(['Mail 1', 'Mail 2']);
    await doDueWork();
    expect(await openJobs(workspace.table, 'sync-mailboxes')).toEqual([]);
  });

  longIt('shows that its reading was given up, and is read again later', async () => {
    const { ada, table } = workspace;
    server.add('INBOX', mail(1));
    await ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: {} });
    await sentTooOften(table, 'sync-mailboxes');
    await sweep();
    expect(await openJobs(table, 'sync-mailboxes')).toEqual([]);
    const { mail_state: state } = await mailboxOf(workspace, ada, mailbox);
    expect(state).toMatchObject({ last_error: { code: 'reading_stopped' }, next_at: expect.any(String) });
    expect(await read()).toMatchObject({ mail_state: { last_error: null } });
    expect(await subjects()).toEqual(['Mail 1']);
  });
});
