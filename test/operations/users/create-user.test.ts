import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { countInHour } from '#shared/domain/platform/rates/hourly.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { givenGroup } from '../../support/groups.ts';
import { openJobs } from '../../support/jobs.ts';
import { longIt } from '../../support/long.ts';
import { givenCode, newAddress } from '../../support/one-time-codes.ts';
import { mailsTo, sendOpenMail } from '../../support/outgoing-mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /users', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let admin: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, admin, member] = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
    await owner.session.updateUser({ params: { id: admin.user.id }, body: { user: { role: 'admin' } } });
    const account = { time_zone: 'Asia/Tokyo' };
    await owner.session.updateAccount({ params: { id: owner.user.account_id }, body: { account } });
  });
  afterAll(() => workspace.stop());

  const invite = async (user: object, by = admin) =>
    (await by.session.createUser({ body: { user: user as { email_address: string } } })).body.user;
  const signIn = async (email_address: string) => {
    const one_time_code = await givenCode(workspace, email_address);
    const { body } = await workspace
      .client()
      .createSession({ body: { session: { email_address, one_time_code } } });
    return workspace.client(body.session.access_token as string);
  };
  const jobsOf = async (id: string) =>
    (await openJobs(workspace.table, 'send-mail')).filter(
      ({ body }) => (body.data as { user_id?: string }).user_id === id,
    );
  const update = (id: string, user: object) => owner.session.updateUser({ params: { id }, body: { user } });
  const count = async () => (await owner.reader.listUsers()).body.collection.total_results;

  it('201: mails a link to sign in, and what names say is text', async () => {
    const name = 'Acme <a href="https://evil.example">Sign in</a>';
    await owner.session.updateAccount({ params: { id: owner.user.account_id }, body: { account: { name } } });
    const email_address = newAddress();
    await invite({ email_address });
    expect(await sendOpenMail(workspace)).toBe(0);
    const [mail, ...more] = await mailsTo(workspace, email_address);
    expect(more).toEqual([]);
    // With invisible characters that keep mail programs from making links.
    expect(mail?.subject?.replaceAll('\u2060', '')).toBe(`${admin.user.name} invites you to ${name}`);
    const link = `https://app.acme.example/sign-in?account_id=${owner.user.account_id}`;
    expect(mail?.text).toContain(link);
    expect([...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([link]);
    await owner.session.updateAccount({
      params: { id: owner.user.account_id },
      body: { account: { name: 'Acme' } },
    });
  });

  it('201: an invited user without access, in groups, with the zone of the account, and a mail', async () => {
    const group = await givenGroup(owner, []);
    const email_address = newAddress();
    const sent = {
      email_address: email_address.toUpperCase(),
      name: ' Lin Clark ',
      group_ids: [group.id, group.id],
    };
    const user = await invite(sent);
    expect(user).toMatchObject({
      ...{ email_address, name: 'Lin Clark', first_name: 'Lin', last_name: 'Clark', role: 'member' },
      ...{ status: 'invited', time_zone: 'Asia/Tokyo', group_ids: [group.id], capabilities: null },
    });
    expect((await owner.reader.retrieveUser({ params: { id: user.id } })).body.user).toEqual(user);
    const { users } = (await owner.reader.retrieveGroup({ params: { id: group.id } })).body.group;
    expect(users.map(({ id }) => id)).toEqual([user.id]);
    expect(await jobsOf(user.id)).toMatchObject([{ body: { mail: 'invitation' } }]);
    const [event] = (await owner.session.listAuditEvents()).body.collection.records;
    const subject = { type: 'user', id: user.id, name: 'Lin Clark' };
    expect(event).toMatchObject({ action: 'user_invited', user_id: admin.user.id, subject });
  });

  it('201: without a name the address says it', async () => {
    const email_address = newAddress();
    expect((await invite({ email_address })).name).toBe(email_address.split('@')[0]);
  });

  it('the user joins by signing in for the first time, which is kept', async () => {
    const email_address = newAddress();
    const { id } = await invite({ email_address, name: 'Lin' });
    const api = await signIn(email_address);
    expect((await api.retrieveCurrentUser()).body.user).toMatchObject({ id, status: 'active' });
    const { records } = (await owner.session.listAuditEvents()).body.collection;
    const latest = records.slice(0, 2);
    expect(latest.map(({ action }) => action).sort()).toEqual(['signed_in', 'user_joined']);
    for (const event of latest) expect(event).toMatchObject({ user_id: id, ip_address: '127.0.0.1' });
    await api.deleteCurrentSession();
    const [out] = (await owner.session.listAuditEvents()).body.collection.records;
    expect(out).toMatchObject({ action: 'signed_out', user_id: id });
    await update(id, { status: 'deactivated' });
    expect((await update(id, { status: 'active' })).body.user.status).toBe('active');
  });

  it('deactivating withdraws an invitation, and active renews it', async () => {
    const email_address = newAddress();
    const { id } = await invite({ email_address });
    await update(id, { status: 'deactivated' });
    expect(await codeOf(signIn(email_address) as never)).toBe('401 invalid_credentials');
    expect((await update(id, { status: 'active' })).body.user.status).toBe('invited');
    expect((await update(id, { status: 'active' })).body.user.status).toBe('invited');
    await signIn(email_address);
    expect((await owner.reader.retrieveUser({ params: { id } })).body.user.status).toBe('active');
  });

  it('409: an invitation is not renewed when another one is open, or somebody has joined', async () => {
    const email_address = newAddress();
    const { id } = await invite({ email_address });
    await update(id, { status: 'deactivated' });
    const { id: other } = await invite({ email_address });
    expect(await codeOf(update(id, { status: 'active' }))).toBe('409 email_address_in_use');
    await signIn(email_address);
    expect(await codeOf(update(id, { status: 'active' }))).toBe('409 email_address_in_use');
    expect((await owner.reader.retrieveUser({ params: { id: other } })).body.user.status).toBe('active');
  });

  it('201: an owner of several owns once there', async () => {
    const email_address = newAddress();
    expect(await codeOf(invite({ email_address, role: 'owner' }) as never)).toBe('403 permission_denied');
    const { id } = await invite({ email_address, role: 'owner' }, owner);
    expect(await codeOf(update(owner.user.id, { role: 'admin' }))).toBe('422 last_owner');
    await signIn(email_address);
    expect((await update(owner.user.id, { role: 'admin' })).status).toBe(200);
    const api = await signIn(email_address);
    await api.updateUser({ params: { id: owner.user.id }, body: { user: { role: 'owner' } } });
    await update(id, { role: 'member' });
  });

  it('409 email_address_in_use: of a colleague, an invited one, or somebody elsewhere, in any case', async () => {
    const email_address = newAddress();
    const elsewhere = () => workspace.ada.session.createUser({ body: { user: { email_address } } });
    const refused = async () => {
      for (const taken of [email_address, email_address.toUpperCase()])
        expect(await codeOf(invite({ email_address: taken }) as never)).toBe('409 email_address_in_use');
    };
    const { id } = await invite({ email_address });
    await refused();
    await signIn(email_address);
    await refused();
    await update(id, { status: 'deactivated' });
    await refused();
    expect(await codeOf(elsewhere())).toBe('409 email_address_in_use');
  });

  it('201: an address that other accounts have invited, of which nothing tells', async () => {
    const [email_address, other] = [newAddress(), newAddress()];
    await invite({ email_address });
    const { session } = workspace.ada;
    const answers = [email_address, other].map((address) =>
      session.createUser({ body: { user: { email_address: address, name: 'Lin' } } }),
    );
    const [known, unknown] = (await Promise.all(answers)).map(({ status, body: { user } }) => [
      status,
      { ...user, id: '', user_id: '', email_address: '', created_at: '' },
    ]);
    expect(known).toEqual(unknown);
  });

  it('429 rate_limited: for the 201st invitation of an account in an hour, by any admin', async () => {
    const [first, second] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    await first.session.updateUser({ params: { id: second.user.id }, body: { user: { role: 'admin' } } });
    const counted = { what: 'INVITATIONS', subject: first.user.account_id };
    for (let i = 0; i < 199; i++) await countInHour(workspace.table, counted, 200, new Date());
    await invite({ email_address: newAddress() }, second);
    const email_address = newAddress();
    expect(await codeOf(invite({ email_address }, first) as never)).toBe('429 rate_limited');
    expect((await first.reader.listUsers()).body.collection.total_results).toBe(3);
    // Nothing holds the address.
    await invite({ email_address });
  });

  it('409: of two invitations at once, one is made', async () => {
    const email_address = newAddress();
    const before = await count();
    const all = await Promise.allSettled([invite({ email_address }), invite({ email_address }, owner)]);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  longIt('is stored with its address, its event and its mail, or not at all', async () => {
    for (let call = 4; call <= 7; call++)
      for (const when of ['before', 'after'] as const) {
        const email_address = newAddress();
        const fault = failCall(workspace.table, call, when);
        await invite({ email_address }).catch(() => undefined);
        fault.remove();
        const { records } = (await owner.reader.listUsers()).body.collection;
        const made = records.find((user) => user.email_address === email_address);
        expect((await jobsOf(made?.id ?? '')).length).toBe(made ? 1 : 0);
        if (!made) await invite({ email_address });
        expect(await codeOf(invite({ email_address }) as never)).toBe('409 email_address_in_use');
      }
  });

  it.each([
    ['no address', {}, { email_address: 'required' }],
    ['no address at all', { email_address: 'lin' }, { email_address: 'invalid_format' }],
    [
      'an address of two lines',
      { email_address: 'a@b.example\r\nBcc: x@y.example' },
      { email_address: 'invalid_format' },
    ],
    ['a long address', { email_address: `${'x'.repeat(320)}@b.example` }, { email_address: 'too_long' }],
    ['an unknown role', { email_address: 'a@b.example', role: 'god' }, { role: 'invalid' }],
    ['a status', { email_address: 'a@b.example', status: 'active' }, { status: 'not_allowed' }],
    ['a name of two lines', { email_address: 'a@b.example', name: 'a\nb' }, { name: 'invalid_format' }],
    [
      '26 groups',
      { email_address: 'a@b.example', group_ids: Array.from({ length: 26 }, () => randomUUID()) },
      { group_ids: 'too_long' },
    ],
  ])('400: %s', async (_, user, problems) => {
    const before = await count();
    expect(await problemsOf(invite(user) as never)).toEqual(problems);
    expect(await count()).toBe(before);
  });

  it('404: an unknown group; 403 for members and keys; 422 without mail', async () => {
    const email_address = newAddress();
    expect(await codeOf(invite({ email_address, group_ids: [randomUUID()] }) as never)).toBe(
      '404 record_not_found',
    );
    expect(await codeOf(invite({ email_address }, member) as never)).toBe('403 permission_denied');
    expect(await codeOf(owner.api.createUser({ body: { user: { email_address } } }))).toBe(
      '403 api_key_insufficient',
    );
    const { mail } = workspace.ctx.config;
    workspace.ctx.config.mail = { ...mail, provider: 'none' };
    expect(await codeOf(invite({ email_address }) as never)).toBe('422 mail_unavailable');
    workspace.ctx.config.mail = mail;
    expect((await invite({ email_address })).status).toBe('invited');
  });

  it('invited users are nobody to assign work to', async () => {
    const { id } = await invite({ email_address: newAddress() });
    const call = owner.api.createTask({ body: { task: { name: 'Work', assigned_user_id: id } } });
    expect(await codeOf(call)).toBe('404 record_not_found');
    const stored = await workspace.table.get<User>(keys.user(owner.user.account_id, id));
    expect(stored?.joining).toBe(true);
  });
});
