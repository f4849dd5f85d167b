import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { createDraft, draftsOf, outbound, readDraft } from '../../../support/drafts.ts';
import { openJobs } from '../../../support/jobs.ts';
import { longIt } from '../../../support/long.ts';
import { readMailbox } from '../../../support/mail-sync.ts';
import { takeMailbox } from '../../../support/mailbox-access.ts';
import {
  givenSender,
  queueDraft,
  runSending,
  type SendingServers,
  startSending,
} from '../../../support/sending-mail.ts';
import type { TestUser, Workspace } from '../../../support/workspace.ts';

describe('sending drafts', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;
  const NAME = 'ada@acme.example';

  beforeAll(async () => {
    ({ workspace, ada, servers, mailbox_id } = await startSending());
  });
  afterAll(async () => {
    await servers.stop();
    await workspace.stop();
  });
  beforeEach(() => {
    servers.taken.length = 0;
    servers.turns.length = 0;
    servers.begun = 0;
    servers.onTaken = () => {};
    servers.accepts_password = true;
  });

  const queue = (draft: object = {}) => queueDraft(ada, { mailbox_id, subject: 'Winter', ...draft });
  const copies = (id: string) =>
    servers.sent(NAME).filter(({ raw }) => raw.includes(`Message-ID: <${id}@acme.example>`));
  const failures = async (id: string) => {
    const { body } = await ada.reader.listNotifications({ query: { slice: 'draft_failed' } });
    return body.collection.records.filter(({ payload }) => payload?.id === id);
  };
  const open = async () => (await openJobs<Job>(workspace.table, 'send-drafts')).length;
  const failed = async (id: string, code: string) => {
    const draft = await readDraft(ada, id);
    expect(draft).toMatchObject({ status: 'failed', last_error: { code }, send_at: null });
    const [notification, ...more] = await failures(id);
    expect(more).toEqual([]);
    expect(notification?.payload).toEqual({
      ...{ id, record_type: 'draft', subject: 'Winter' },
      last_error: draft.last_error,
    });
    expect(notification?.prompting_user_id).toBeNull();
    expect(await open()).toBe(0);
    return draft;
  };

  it('sends it once, and keeps one copy among the sent mail', async () => {
    const id = await queue({
      body: 'We come at noon.',
      cc_email_addresses: ['cy@x.example', 'priya@ferries.example'],
      bcc_email_addresses: ['hidden@x.example'],
    });
    expect(await runSending(workspace)).toBe(0);
    expect(servers.taken).toHaveLength(1);
    expect(servers.taken[0]).toMatchObject({
      from: NAME,
      to: ['priya@ferries.example', 'cy@x.example', 'hidden@x.example'],
    });
    const draft = await readDraft(ada, id);
    expect(draft).toMatchObject({ status: 'sent', attempts: 1, last_error: null, body: 'We come at noon.' });
    expect(Date.parse(draft.sent_at ?? '')).toBeGreaterThan(0);
    const [copy, ...more] = copies(id);
    expect(more).toEqual([]);
    expect(copy?.flags).toEqual(new Set(['\\Seen']));
    expect(copy?.raw.toString('latin1')).toBe(servers.taken[0]?.raw);
    expect(copy?.raw.toString('latin1')).not.toContain('hidden@x.example');
    expect((await draftsOf(ada)).map((each) => each.id)).not.toContain(id);
    expect([await open(), await failures(id)]).toEqual([0, []]);
    const readings = await openJobs<Job>(workspace.table, 'sync-mailboxes');
    expect(readings.map(({ body }) => body?.mailbox_id)).toContain(mailbox_id);
    expect(await runSending(workspace)).toBe(0);
    expect(servers.taken).toHaveLength(1);
  });

  longIt('is not sent before its time, nor after it was taken back or deleted', async () => {
    const later = await createDraft(ada, { mailbox_id, to_email_addresses: ['a@x.example'] });
    await ada.api.sendDraft({ params: { draft_id: later.id }, body: { undo_seconds: 30 } });
    await runSending(workspace);
    const taken = await queue();
    await ada.api.cancelDraft({ params: { draft_id: taken } });
    const deleted = await queue();
    await ada.api.deleteDraft({ params: { id: deleted } });
    await runSending(workspace);
    expect(servers.taken).toEqual([]);
    expect((await readDraft(ada, later.id)).status).toBe('queued');
    expect((await readDraft(ada, taken)).status).toBe('draft');
    workspace.setTime(new Date(Date.now() + 31_000));
    await runSending(workspace);
    workspace.setTime(undefined);
    expect(servers.taken.map(({ to }) => to)).toEqual([['a@x.example']]);
  });

  longIt('of taking it back and sending it at once, exactly one happens', async () => {
    for (let round = 0; round < 5; round++) {
      servers.taken.length = 0;
      const id = await queue();
      const [, cancelled] = await Promise.all([
        runSending(workspace),
        ada.api.cancelDraft({ params: { draft_id: id } }).then(
          () => true,
          () => false,
        ),
      ]);
      await runSending(workspace);
      expect(servers.taken).toHaveLength(cancelled ? 0 : 1);
      expect((await readDraft(ada, id)).status).toBe(cancelled ? 'draft' : 'sent');
    }
  });

  it('two workers send it once', async () => {
    const id = await queue();
    await Promise.all([runSending(workspace), runSending(workspace)]);
    await runSending(workspace);
    expect([servers.taken.length, copies(id).length]).toEqual([1, 1]);
  });

  longIt.each<[string, SendingServers['turns'][number], string]>([
    ['a recipient', { refuse: 550, address: 'b@x.example' }, 'recipient_refused'],
    ['the size', { reply: 552, text: '5.3.4 Too large' }, 'message_too_large'],
    ['the mail', { reply: 554, text: '5.7.1 Spam' }, 'provider_failed'],
  ])('fails at once when the server refuses %s, and nobody gets it', async (_, turn, code) => {
    servers.turns.push(turn);
    const id = await queue({ to_email_addresses: ['a@x.example', 'b@x.example', 'c@x.example'] });
    expect(await runSending(workspace)).toBe(0);
    const draft = await failed(id, code);
    expect(draft.attempts).toBe(1);
    if (code === 'recipient_refused') expect(draft.last_error?.message).toContain('b@x.example');
    expect(servers.taken).toEqual([]);
    await ada.api.sendDraft({ params: { draft_id: id }, body: {} });
    await runSending(workspace);
    expect([servers.taken.length, copies(id).length]).toEqual([1, 1]);
    expect(await readDraft(ada, id)).toMatchObject({ status: 'sent', rfc_id: draft.rfc_id });
  });

  longIt('tries again when the server may take it later', async () => {
    servers.turns.push(
      { reply: 451, text: '4.3.0 Later' },
      { refuse: 450, address: 'priya@ferries.example' },
    );
    const id = await queue();
    expect(await runSending(workspace)).toBe(1);
    expect(await readDraft(ada, id)).toMatchObject({
      status: 'sending',
      attempts: 1,
      last_error: { code: 'provider_rate_limited' },
    });
    expect(await runSending(workspace)).toBe(1);
    expect((await readDraft(ada, id)).last_error?.code).toBe('recipient_refused');
    expect(await runSending(workspace)).toBe(0);
    expect(await readDraft(ada, id)).toMatchObject({ status: 'sent', attempts: 3, last_error: null });
    expect([servers.taken.length, copies(id).length]).toEqual([1, 1]);
  });

  describe('without credentials that the server takes', () => {
    const state = async () => {
      const { mailbox } = (await ada.reader.retrieveMailbox({ params: { id: mailbox_id } })).body;
      return [mailbox.status, mailbox.sync.last_error?.code];
    };
    const refused = async () => {
      servers.accepts_password = false;
      const id = await queue();
      expect(await runSending(workspace)).toBe(0);
      expect((await failed(id, 'authentication_failed')).attempts).toBe(1);
      servers.accepts_password = true;
      return id;
    };

    longIt('fails at once, which the mailbox shows, without a lock, until a mail is sent', async () => {
      const id = await refused();
      const shown = await state();
      expect(shown[1]).toBe('sending_refused');
      expect(shown[0]).not.toBe('locked');
      expect((await readMailbox(workspace, ada, mailbox_id)).mail_state?.refusals).toBe(0);
      expect((await state())[1]).toBe('sending_refused');
      await ada.api.sendDraft({ params: { draft_id: id }, body: {} });
      await runSending(workspace);
      expect(servers.taken).toHaveLength(1);
      expect((await state())[1]).toBeUndefined();
    });

    it('shows it until somebody gives others', async () => {
      await refused();
      const smtp = { host: '127.0.0.1', port: servers.smtp_port, tls: false, username: NAME };
      const imap = { ...smtp, port: servers.imap.port, password: 'right password' };
      const change = (mailbox: object) =>
        ada.session.updateMailboxCredentials({ params: { id: mailbox_id }, body: { mailbox } as never });
      await change({ imap });
      expect((await state())[1]).toBe('sending_refused');
      await change({ smtp: { ...smtp, password: 'right password' } });
      expect((await state())[1]).toBeUndefined();
    });
  });

  longIt('a connection lost after the mail: never sent again, unless it is among the sent mail', async () => {
    servers.turns.push('drop');
    const lost = await queue();
    expect(await runSending(workspace)).toBe(0);
    await failed(lost, 'provider_failed');
    expect([servers.begun, copies(lost).length]).toEqual([1, 0]);

    servers.turns.push('take silently');
    let found = '';
    servers.onTaken = () =>
      void servers.imap.users.get(NAME)?.add('Sent', Buffer.from(servers.taken.at(-1)?.raw ?? '', 'latin1'));
    found = await queue();
    expect(await runSending(workspace)).toBe(0);
    expect((await readDraft(ada, found)).status).toBe('sent');
    expect([servers.taken.length, copies(found).length]).toEqual([1, 1]);
  });

  longIt('sent again by its user, one that may have arrived is looked for first', async () => {
    servers.turns.push('take silently');
    const id = await queue();
    await runSending(workspace);
    await failed(id, 'provider_failed');
    // The server keeps what it sends, late.
    servers.imap.users.get(NAME)?.add('Sent', Buffer.from(servers.taken[0]?.raw ?? '', 'latin1'));
    await ada.api.sendDraft({ params: { draft_id: id }, body: {} });
    await runSending(workspace);
    expect((await readDraft(ada, id)).status).toBe('sent');
    expect([servers.taken.length, copies(id).length]).toEqual([1, 1]);
  });

  it('a server that keeps what it sends has one copy', async () => {
    servers.onTaken = () =>
      void servers.imap.users.get(NAME)?.add('Sent', Buffer.from(servers.taken.at(-1)?.raw ?? '', 'latin1'));
    const id = await queue();
    await runSending(workspace);
    expect(copies(id)).toHaveLength(1);
  });

  it('a copy that cannot be stored sends nothing again, and is stored later', async () => {
    const appends = () => servers.imap.asked.filter((asked) => asked.startsWith('APPEND')).length;
    const before = appends();
    servers.imap.done = ({ name }) => (name === 'APPEND' ? 'drop' : undefined);
    const id = await queue();
    expect(await runSending(workspace)).toBe(1);
    servers.imap.done = () => undefined;
    expect((await readDraft(ada, id)).status).toBe('sent');
    expect(await runSending(workspace)).toBe(0);
    expect([servers.taken.length, copies(id).length, appends() - before]).toEqual([1, 1, 1]);
    expect(await open()).toBe(0);
  });

  it('sends without a folder for sent mail', async () => {
    const mailbox = servers.imap.users.get(NAME);
    const folder = mailbox?.folder('Sent');
    mailbox?.folders.delete('Sent');
    const id = await queue();
    expect(await runSending(workspace)).toBe(0);
    expect((await readDraft(ada, id)).status).toBe('sent');
    if (folder) mailbox?.folders.set('Sent', folder);
  });

  it('fails when its user may no longer send from the mailbox, and when that sends nothing more', async () => {
    const own = await givenSender(workspace, ada, servers);
    const id = await queue({ mailbox_id: own });
    await takeMailbox(workspace, ada, own);
    await runSending(workspace);
    await failed(id, 'provider_failed');
    const off = await givenSender(workspace, ada, servers);
    const other = await queue({ mailbox_id: off });
    const imap = { host: '127.0.0.1', port: 1, tls: false, username: 'x', password: null };
    await outbound(workspace.table, workspace.account_id, off, {
      mail_server: { imap, smtp: null, oauth: null },
    });
    await runSending(workspace);
    await failed(other, 'provider_failed');
    expect(servers.taken).toEqual([]);
  });
});
