import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { openJobs } from '../../support/jobs.ts';
import { STRIDE } from '../../support/long.ts';
import { mailsTo, sendOpenMail } from '../../support/outgoing-mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** docs/specification/people.md, "Mail about rights" */
describe('mail about changed rights', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let admin: TestUser;
  let member: TestUser;
  let all: TestUser[];
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    // Ids of one millisecond have no order, and the owner is to be the oldest.
    do {
      all = await givenAccount(workspace, 3);
      [owner, admin, member] = all as [TestUser, TestUser, TestUser];
    } while (owner.user.id > member.user.id);
    await change(owner, admin, { role: 'admin' });
    await forget();
  });
  afterEach(async () => {
    for (const user of [admin, member])
      await workspace.table.update<User>(keys.user(user.user.account_id, user.user.id), {
        set: { status: 'active' },
      });
    await change(owner, member, { role: 'member' });
    await change(owner, admin, { role: 'admin' });
    await patch({ api_access: 'enabled' });
    await forget();
  });
  afterAll(() => workspace?.stop());

  const change = (by: TestUser, whose: TestUser, user: object) =>
    by.session.updateUser({ params: { id: whose.user.id }, body: { user } });
  const patch = (account: object, by = owner) =>
    by.session.updateAccount({ params: { id: owner.user.account_id }, body: { account } });
  const forget = async () => {
    for (const job of await openJobs(workspace.table)) await workspace.table.delete(keyOf(job));
    await rm(workspace.outbox, { recursive: true, force: true });
  };
  const account = (set: Partial<Account>) =>
    workspace.table.update<Account>(keys.account(owner.user.account_id), { set });
  /** Subjects by recipient, of owner, admin and member. */
  const told = async () => {
    expect(await sendOpenMail(workspace)).toBe(0);
    const mails = all.map(({ user }) => mailsTo(workspace, user.email_address));
    return (await Promise.all(mails)).map((each) => each.map(({ subject }) => subject));
  };

  it('a role: the user and the owner, who changed it, when, and what to do', async () => {
    await change(admin, member, { role: 'admin' });
    const subjects = [
      ['The role of User 2 in Initech is now admin'],
      [],
      ['Your role in Initech is now admin'],
    ];
    expect(await told()).toEqual(subjects);
    const [mail] = await mailsTo(workspace, member.user.email_address);
    expect(mail?.text).toContain('It was member.');
    expect(mail?.text).toMatch(/^- Changed by: User 1$/m);
    expect(mail?.text).toMatch(/^- When: \d+ \w+ \d{4} at \d\d:\u2060?\d\d \(.+\)$/m);
    expect(mail?.text).toContain('https://app.acme.example/sign-in\n');
    // Nobody has to be able to end it.
    expect(mail?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
  });

  it('a role: the owner also for an own change, once for the one who is both', async () => {
    await change(owner, member, { role: 'owner' });
    expect(await told()).toEqual([
      ['The role of User 2 in Initech is now owner'],
      [],
      ['Your role in Initech is now owner'],
    ]);
    await forget();
    // The first owner steps back: the oldest of those who are left is told.
    await change(owner, owner, { role: 'admin' });
    expect(await told()).toEqual([
      ['Your role in Initech is now admin'],
      [],
      ['The role of User 0 in Initech is now admin'],
    ]);
    await forget();
    await change(member, owner, { role: 'owner' });
  });

  it('api_access: every owner, also who changed it', async () => {
    await change(owner, member, { role: 'owner' });
    await forget();
    await patch({ api_access: 'read_only', name: 'Initech' }, admin);
    const subject = 'API access of Initech is now read-only: keys change nothing';
    expect(await told()).toEqual([[subject], [], [subject]]);
    const [mail] = await mailsTo(workspace, owner.user.email_address);
    expect(mail?.text).toContain('It was on: keys work.');
    expect(mail?.text).toMatch(/^- Changed by: User 1$/m);
  });

  it('nobody of what did not change, was refused, or is something else', async () => {
    await change(owner, admin, { role: 'admin' });
    await change(owner, owner, { first_name: 'Zoë' });
    await change(owner, owner, { first_name: 'User', last_name: '0' });
    await patch({ api_access: 'enabled', default_currency: 'EUR' });
    expect(await codeOf(change(admin, member, { role: 'owner' }))).toBe('403 permission_denied');
    expect(await codeOf(change(owner, owner, { role: 'member' }))).toBe('422 last_owner');
    expect(await codeOf(patch({ api_access: 'disabled' }, member))).toBe('403 permission_denied');
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  it('nobody where the service sends no mail: the change is made', async () => {
    const { mail } = workspace.ctx.config;
    workspace.ctx.config.mail = { ...mail, provider: 'none' };
    await change(owner, member, { role: 'admin' });
    await patch({ api_access: 'disabled' });
    workspace.ctx.config.mail = mail;
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  it('nobody who has left meanwhile, or whose account is closed', async () => {
    await change(owner, member, { role: 'admin' });
    const left = keys.user(member.user.account_id, member.user.id);
    await workspace.table.update<User>(left, { set: { status: 'deactivated' } });
    expect(await told()).toEqual([['The role of User 2 in Initech is now admin'], [], []]);
    await forget();
    await patch({ api_access: 'disabled' });
    await account({ status: 'closed' });
    expect(await told()).toEqual([[], [], []]);
    await account({ status: 'active' });
  });

  it('with the change or not at all, whichever call fails', async () => {
    const stored = async () => {
      const { user } = (await owner.reader.retrieveUser({ params: { id: member.user.id } })).body;
      return user.role;
    };
    for (let nth = 0, hit = true; hit; nth += STRIDE) {
      const fault = failNth(workspace.table, nth);
      await change(owner, member, { role: 'admin' }).catch(() => {});
      fault.remove();
      hit = fault.hit;
      expect(await openJobs(workspace.table, 'send-mail')).toHaveLength((await stored()) === 'admin' ? 2 : 0);
      await change(owner, member, { role: 'member' });
      await forget();
    }
  });

  it('says names as text', async () => {
    await change(owner, member, { first_name: undefined, role: 'admin' });
    await workspace.table.update<User>(keys.user(member.user.account_id, member.user.id), {
      set: { name: 'Eve\r\nBcc: a@evil.example\u202e https://evil.example <b>' },
    });
    await sendOpenMail(workspace);
    const [mail] = await mailsTo(workspace, owner.user.email_address);
    expect(mail?.subject).not.toMatch(/[\r\n\u202e]/);
    expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/\/\/evil\.example|<b>.*<b>|\u202e/);
    expect(mail?.html).not.toContain('<b>');
  });
});
