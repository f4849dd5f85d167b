import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiFailure } from '#shared/api/client.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { loginTo } from '#shared/domain/mail/servers/sign-in.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { connectMailbox, type OwnServers, PASSWORD, startOwnServers } from '../../support/connected.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { longIt } from '../../support/long.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /mailboxes', () => {
  let workspace: Workspace;
  let own: OwnServers;
  let answer: OwnServers['imap']['answer'];
  beforeAll(async () => {
    workspace = await startWorkspace();
    own = await startOwnServers(workspace);
    answer = own.imap.answer;
  });
  afterEach(() => {
    own.imap.answer = answer;
    workspace.ctx.config.mail_private_hosts = true;
  });
  afterAll(async () => {
    await own.stop();
    await workspace.stop();
  });

  let count = 0;
  const address = () => `box${count++}@acme.example`;
  const connect = (user: TestUser, fields: object = {}, email_address = address()) =>
    connectMailbox(user, email_address, { ...own.servers(), ...fields });
  const stored = ({ id }: { id: string }) =>
    workspace.table.get<Mailbox>(keys.mailbox(workspace.account_id, id)) as Promise<Mailbox>;
  const userOf = ({ user }: TestUser) =>
    workspace.table.get<User>(keys.user(workspace.account_id, user.id)) as Promise<User>;
  const jobsOf = async ({ id }: { id: string }) =>
    (await openJobs<Job>(workspace.table, 'sync-mailboxes')).filter(({ body }) => body?.mailbox_id === id);

  it('201: it is signed in to both servers, its reading begins, and nobody reads the password again', async () => {
    const { linus } = workspace;
    const { status, body } = await connect(linus, { name: ' Work ' }, 'Linus.P@Acme.example');
    expect(status).toBe(201);
    expect(body.mailbox).toMatchObject({
      ...{ provider: 'imap', email_address: 'linus.p@acme.example', name: 'Work', access: 'owner' },
      ...{ status: 'connecting', lock: null, primary: true, label_sync: true, outbound_enabled: true },
      ...{ shares: [], updated_at: null, sync: { backfill_percent: 0, last_error: null } },
    });
    expect((await linus.reader.retrieveMailbox({ params: { id: body.mailbox.id } })).body).toEqual(body);
    expect(await jobsOf(body.mailbox)).toHaveLength(1);
    expect((await userOf(linus)).label_sync_mailbox_ids).toContain(body.mailbox.id);
    const item = await stored(body.mailbox);
    expect(JSON.stringify([item, body])).not.toContain(PASSWORD);
    const login = await loginTo(workspace.ctx, item, 'smtp');
    expect(login).toMatchObject({ host: '127.0.0.1', username: 'ada', secret: { password: PASSWORD } });
  });

  it('opens its passwords for itself alone, and with the key that sealed them', async () => {
    const { mailbox } = (await connect(workspace.grace)).body;
    const { ctx } = workspace;
    const item = await stored(mailbox);
    const other = { ...item, id: '0198c0de-0000-7000-8000-000000000001' };
    await expect(loginTo(ctx, other, 'imap')).rejects.toMatchObject({ name: 'LoginRefused' });
    const { imap, smtp } = item.mail_server as NonNullable<Mailbox['mail_server']>;
    const swapped = { ...item, mail_server: { imap: smtp ?? imap, smtp: imap, oauth: null } };
    await expect(loginTo(ctx, swapped, 'imap')).rejects.toMatchObject({ name: 'LoginRefused' });
    const renewed = { ...ctx, config: { ...ctx.config, mailbox_keys: ['new', ...ctx.config.mailbox_keys] } };
    expect(await loginTo(renewed, item, 'imap')).toMatchObject({ secret: { password: PASSWORD } });
    const lost = { ...ctx, config: { ...ctx.config, mailbox_keys: ['new'] } };
    await expect(loginTo(lost, item, 'imap')).rejects.toMatchObject({ name: 'LoginRefused' });
  });

  it('201: without a server that sends, nothing is sent', async () => {
    for (const smtp of [undefined, null]) {
      const { mailbox } = (await connect(workspace.grace, { smtp })).body;
      expect(mailbox).toMatchObject({ outbound_enabled: false, name: mailbox.email_address });
    }
  });

  it('201: a mailbox with mail from archives keeps its mail, and its place', async () => {
    const { ada } = workspace;
    const id = await givenMailbox(workspace, ada);
    const { email_address } = (await ada.reader.retrieveMailbox({ params: { id } })).body.mailbox;
    const before = await userOf(ada);
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), {
      add: { messages_imported: 7 },
    });
    const { mailbox } = (await connect(ada, {}, email_address)).body;
    expect(mailbox).toMatchObject({
      id,
      provider: 'imap',
      status: 'connecting',
      sync: { messages_imported: 7 },
    });
    expect(mailbox.updated_at).not.toBeNull();
    const after = await userOf(ada);
    expect(after.mailboxes).toEqual(before.mailboxes);
    expect(after.label_sync_mailbox_ids).toContain(id);
  });

  it('201: not that of a colleague', async () => {
    const { ada, grace } = workspace;
    const id = await givenMailbox(workspace, grace);
    const { email_address } = (await grace.reader.retrieveMailbox({ params: { id } })).body.mailbox;
    expect((await connect(ada, {}, email_address)).body.mailbox.id).not.toBe(id);
  });

  it('409: an address is connected once in an account, whoever asks, and also at once', async () => {
    const { ada, grace, hank } = workspace;
    const email_address = address();
    const at_once = await Promise.allSettled(
      [ada, grace, ada].map((user) => connect(user, {}, email_address)),
    );
    expect(at_once.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const user of [ada, grace])
      expect(await codeOf(connect(user, {}, email_address.toUpperCase()))).toBe(
        '409 mailbox_already_connected',
      );
    expect((await connect(hank, {}, email_address)).status).toBe(201);
  });

  longIt('201: an address that was deleted may be connected again, as a mailbox of its own', async () => {
    const { ada, grace } = workspace;
    const email_address = address();
    const { id } = (await connect(ada, {}, email_address)).body.mailbox;
    await ada.session.deleteMailbox({ params: { id } });
    const again = (await connect(ada, {}, email_address)).body.mailbox;
    expect(again.id).not.toBe(id);
    await ada.session.deleteMailbox({ params: { id: again.id } });
    expect((await connect(grace, {}, email_address)).status).toBe(201);
  });

  it('403: not by keys', async () => {
    const { api } = workspace.grace;
    const body = { mailbox: { provider: 'imap', email_address: address(), ...own.servers() } as never };
    expect(await codeOf(api.createMailbox({ body }))).toMatch(/^40[13] /);
  });

  it('400: what does not fit', async () => {
    const { grace } = workspace;
    const problems = (mailbox: object) =>
      problemsOf(grace.session.createMailbox({ body: { mailbox } as never }));
    expect(await problems({})).toEqual({ provider: 'required' });
    expect(await problems({ provider: 'imap' })).toEqual({ email_address: 'required', imap: 'required' });
    const server = { host: 'https://a.example/', port: 0, tls: 'yes', username: 'a\r\nb', password: '' };
    const wrong = { provider: 'pop3', email_address: 'ada', name: ' ', imap: server, smtp: {} };
    expect(Object.keys(await problems(wrong)).sort()).toEqual(
      [
        ...['email_address', 'name', 'provider'],
        ...['host', 'password', 'port', 'tls', 'username'].flatMap((name) => [
          `imap.${name}`,
          `smtp.${name}`,
        ]),
      ].sort(),
    );
  });

  longIt('400: all passwords that are refused, and nothing is stored', async () => {
    const { grace } = workspace;
    const email_address = address();
    const sent = own.servers('another password');
    expect(await problemsOf(connect(grace, sent, email_address))).toEqual({
      ...{ 'imap.password': 'invalid', 'smtp.password': 'invalid' },
    });
    const one = connect(grace, { smtp: sent.smtp }, email_address);
    expect(await problemsOf(one)).toEqual({ 'smtp.password': 'invalid' });
    const { records } = (await grace.reader.listMailboxes()).body.collection;
    expect(records.map((each) => each.email_address)).not.toContain(email_address);
    expect((await connect(grace, {}, email_address)).status).toBe(201);
  });

  it('400: a server that lets nobody in, without saying why', async () => {
    own.imap.answer = ({ command }) => (command === 'LOGIN' ? ['NO Login failed'] : undefined);
    expect(await problemsOf(connect(workspace.grace))).toEqual({ 'imap.password': 'invalid' });
  });

  it('502: a server that wants nobody now', async () => {
    own.imap.answer = ({ command }) => (command === 'LOGIN' ? ['NO [UNAVAILABLE] Secret words'] : undefined);
    const failing = connect(workspace.grace);
    expect(await codeOf(failing)).toBe('502 provider_failed');
    const failure: ApiFailure = await failing.catch((failed) => failed);
    expect(failure.message).not.toMatch(/Secret|password/);
    expect(failure.headers.get('Retry-After')).toBe('60');
  });

  it('400: hosts without a server, and ports that are not those of mail', async () => {
    const { grace } = workspace;
    const { imap, smtp } = own.servers();
    const nowhere = { imap: { ...imap, port: 1 }, smtp: { ...smtp, host: 'does-not-exist.invalid' } };
    expect(await problemsOf(connect(grace, nowhere))).toEqual({
      'imap.host': 'invalid',
      'smtp.host': 'invalid',
    });
    workspace.ctx.config.mail_private_hosts = false;
    expect(await problemsOf(connect(grace))).toEqual({ 'imap.port': 'invalid', 'smtp.port': 'invalid' });
  });

  it.each(['127.0.0.1', '169.254.169.254', '::1', 'localhost', '2130706433', '10.0.0.1'])(
    '400: %s is not called',
    async (host) => {
      workspace.ctx.config.mail_private_hosts = false;
      const { imap, smtp } = own.servers();
      const servers = { imap: { ...imap, host, port: 143 }, smtp: { ...smtp, host, port: 587 } };
      expect(await problemsOf(connect(workspace.grace, servers))).toEqual({
        ...{ 'imap.host': 'invalid', 'smtp.host': 'invalid' },
      });
    },
  );

  describe('PATCH /mailboxes/{id}/credentials', () => {
    const change = (user: TestUser, id: string, fields: object) =>
      user.session.updateMailboxCredentials({ params: { id }, body: { mailbox: fields as never } });
    const lock = (id: string, code: string) =>
      workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), {
        set: {
          ...{
            status: 'locked',
            lock: { code, message: 'It is refused.', locked_at: new Date().toISOString() },
          },
          mail_state: {
            ...{ last_started_at: null, last_finished_at: null, next_at: null, backfill_percent: 100 },
            ...{ last_error: { code, message: 'x' }, failures: 3, refusals: 3, messages_pending: 0 },
          },
        },
      });

    it('200: a password that works unlocks the mailbox, and its reading begins', async () => {
      const { grace } = workspace;
      const { id } = (await connect(grace)).body.mailbox;
      await lock(id, 'authentication_failed');
      const { smtp, imap } = own.servers();
      expect((await change(grace, id, { smtp })).body.mailbox.status).toBe('locked');
      const { mailbox } = (await change(grace, id, { imap })).body;
      expect(mailbox).toMatchObject({ status: 'active', lock: null, sync: { last_error: null } });
      expect((await grace.reader.retrieveMailbox({ params: { id } })).body.mailbox).toEqual(mailbox);
      expect((await stored({ id })).mail_state).toMatchObject({ failures: 0, refusals: 0 });
      expect(await jobsOf({ id })).toHaveLength(1);
    });

    it('200: a lock for the calendars stays', async () => {
      const { grace } = workspace;
      const { id } = (await connect(grace)).body.mailbox;
      await lock(id, 'credentials_refused');
      const { imap } = own.servers();
      expect((await change(grace, id, { imap })).body.mailbox.status).toBe('locked');
    });

    it('200: sending ends, and begins', async () => {
      const { grace } = workspace;
      const { id } = (await connect(grace)).body.mailbox;
      const { smtp } = own.servers();
      expect((await change(grace, id, { smtp: null })).body.mailbox.outbound_enabled).toBe(false);
      const { mailbox } = (await change(grace, id, { smtp })).body;
      expect(mailbox.outbound_enabled).toBe(true);
      expect(await loginTo(workspace.ctx, await stored({ id }), 'imap')).toMatchObject({ host: '127.0.0.1' });
    });

    it('400: passwords that are refused change nothing', async () => {
      const { grace } = workspace;
      const { id } = (await connect(grace)).body.mailbox;
      await lock(id, 'authentication_failed');
      const before = await stored({ id });
      const sent = own.servers('another password');
      expect(await problemsOf(change(grace, id, sent))).toEqual({
        ...{ 'imap.password': 'invalid', 'smtp.password': 'invalid' },
      });
      expect(await stored({ id })).toEqual(before);
    });

    it('400: nothing, everything at once, and a mailbox without mail servers', async () => {
      const { grace } = workspace;
      const { id } = (await connect(grace)).body.mailbox;
      expect(await problemsOf(change(grace, id, {}))).toEqual({ imap: 'required' });
      const caldav = { url: 'https://caldav.acme.example/', username: 'ada', password: 'x' };
      expect(await problemsOf(change(grace, id, { caldav, ...own.servers() }))).toEqual({
        caldav: 'invalid',
      });
      const archive = await givenMailbox(workspace, grace);
      expect(await problemsOf(change(grace, archive, own.servers()))).toEqual({ imap: 'invalid' });
    });

    it('404 and 403 for all but its owner', async () => {
      const { ada, grace, hank } = workspace;
      const { id } = (await connect(grace)).body.mailbox;
      for (const user of [ada, hank])
        expect(await codeOf(change(user, id, own.servers()))).toBe('404 record_not_found');
    });
  });
});
