import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { crashAfter } from '../../support/faults.ts';
import { givenGroup } from '../../support/groups.ts';
import { longIt } from '../../support/long.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /users/{id}', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let admin: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const change = (by: TestUser, whose: TestUser, user: object) =>
    by.session.updateUser({ params: { id: whose.user.id }, body: { user } });
  const withKey = (by: TestUser, whose: TestUser, user: object) =>
    by.api.updateUser({ params: { id: whose.user.id }, body: { user } });
  const shown = async (whose: TestUser) =>
    (await whose.reader.retrieveUser({ params: { id: whose.user.id } })).body.user;
  const events = async () =>
    (await owner.session.listAuditEvents()).body.collection.records.filter(
      ({ subject }) => subject.type === 'user',
    );
  const owners = async () => {
    const { account } = (await owner.reader.retrieveAccount({ params: { id: owner.user.account_id } })).body;
    const { records } = (await owner.reader.listUsers()).body.collection;
    const active = records.filter(({ role, status }) => role === 'owner' && status === 'active');
    return { oldest: account.owner_user_id, ids: active.map(({ id }) => id).sort() };
  };
  const given = async () => {
    [owner, admin, member] = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
    await change(owner, admin, { role: 'admin' });
  };

  describe('settings of oneself', () => {
    beforeAll(given);

    it('200: with a key; what is not sent stays, and colleagues see the new name', async () => {
      const sent = {
        first_name: ' Grace ',
        last_name: 'Hopper',
        time_zone: 'Asia/Tokyo',
        week_starts_on: 'sunday',
      };
      const { status, body } = await withKey(member, member, sent);
      expect(status).toBe(200);
      expect(body.user).toMatchObject({ ...sent, first_name: 'Grace', name: 'Grace Hopper', role: 'member' });
      expect(body.user.updated_at).not.toBeNull();
      expect(await shown(member)).toEqual(body.user);
      const { records } = (await owner.reader.listUsers()).body.collection;
      expect(records.find(({ id }) => id === member.user.id)?.name).toBe('Grace Hopper');
      const group = await givenGroup(owner, [member]);
      const { users } = (await owner.reader.retrieveGroup({ params: { id: group.id } })).body.group;
      expect(users.map(({ name }) => name)).toEqual(['Grace Hopper']);
    });

    it('200: half a name, and the same settings again write nothing', async () => {
      expect((await withKey(member, member, { last_name: null })).body.user.name).toBe('Grace');
      const before = await shown(member);
      expect((await withKey(member, member, { first_name: 'Grace' })).body.user).toEqual(before);
      expect((await withKey(member, member, {})).body.user).toEqual(before);
    });

    it('200: the assistant can be turned off', async () => {
      const { body } = await withKey(member, member, { assistant_enabled: false });
      expect(body.user.assistant_enabled).toBe(false);
      expect(body.user.capabilities?.ask_assistant).toBe(false);
    });

    it('200: settings of events replace those of the same event, others stay, null removes', async () => {
      const both = { push: true, email: true };
      const settings = async (notification_settings: object) =>
        (await withKey(member, member, { notification_settings })).body.user.notification_settings;
      expect(await settings({ task_assigned: both, deal_won: both })).toEqual({
        task_assigned: both,
        deal_won: both,
      });
      const none = { push: false, email: false };
      expect(await settings({ deal_won: none })).toEqual({ task_assigned: both, deal_won: none });
      expect(await settings({ task_assigned: null })).toEqual({ deal_won: none });
    });

    it('200: mail about notifications comes at once, or once an hour; colleagues do not see which', async () => {
      expect((await member.reader.retrieveCurrentUser()).body.user.notification_digest).toBe('none');
      const { user } = (await withKey(member, member, { notification_digest: 'hourly' })).body;
      expect(user.notification_digest).toBe('hourly');
      const seen = (await owner.reader.retrieveUser({ params: { id: member.user.id } })).body.user;
      expect(seen.notification_digest).toBeNull();
      expect(await codeOf(change(owner, member, { notification_digest: 'none' }))).toBe(
        '403 permission_denied',
      );
    });

    it('200: who wants mail makes the account look for it, once', async () => {
      const account = async () => workspace.table.get<Account>(keys.account(member.user.account_id));
      const settings = (email: boolean) => ({ notification_settings: { deal_won: { push: true, email } } });
      await workspace.table.update<Account>(keys.account(member.user.account_id), {
        remove: ['has_notification_mail'],
      });
      await withKey(member, member, settings(false));
      const before = await account();
      expect(before).not.toHaveProperty('has_notification_mail');
      await withKey(member, member, settings(true));
      expect(await account()).toEqual({ ...before, has_notification_mail: true });
      await withKey(member, member, { notification_settings: { deal_won: null } });
    });

    it('200: the primary mailbox is one that the user reads; 404 for others', async () => {
      const own = await givenMailbox(workspace, member, member.user.account_id);
      const theirs = await givenMailbox(workspace, owner, owner.user.account_id);
      const patch = (primary_mailbox_id: string | null) => withKey(member, member, { primary_mailbox_id });
      expect((await patch(null)).body.user.primary_mailbox_id).toBeNull();
      expect((await patch(own)).body.user.primary_mailbox_id).toBe(own);
      for (const id of [theirs, randomUUID()]) expect(await codeOf(patch(id))).toBe('404 record_not_found');
      const params = { record_type: 'mailboxes' as const, record_id: theirs };
      const group = await givenGroup(owner, [member]);
      const give = () => owner.api.createShare({ params, body: { share: { group_id: group.id } } });
      const { share } = (await give()).body;
      expect((await patch(theirs)).body.user.primary_mailbox_id).toBe(theirs);
      const shown = async () => {
        const users = (await owner.reader.listUsers()).body.collection.records;
        const me = (await member.reader.retrieveCurrentUser()).body.user.primary_mailbox_id;
        return [me, users.find(({ id }) => id === member.user.id)?.primary_mailbox_id];
      };
      expect(await shown()).toEqual([theirs, theirs]);
      await owner.api.deleteShare({ params: { ...params, id: share.id } });
      expect(await shown()).toEqual([null, null]);
      await give();
      expect(await shown()).toEqual([theirs, theirs]);
    });

    it('the group access of a user is not stored with the user', async () => {
      const stored = await workspace.table.get<User>(keys.user(member.user.account_id, member.user.id));
      expect(Object.values(stored?.mailboxes ?? {})).toEqual(['owner']);
    });

    it.each([
      ['no name at all', { first_name: null, last_name: ' ' }, { first_name: 'required' }],
      ['a name of two lines', { first_name: 'a\nb' }, { first_name: 'invalid_format' }],
      ['an unknown time zone', { time_zone: 'Mars' }, { time_zone: 'invalid_format' }],
      ['no time zone', { time_zone: null }, { time_zone: 'invalid' }],
      ['another first day', { week_starts_on: 'friday' }, { week_starts_on: 'invalid' }],
      ['another digest', { notification_digest: 'daily' }, { notification_digest: 'invalid' }],
      ['no digest', { notification_digest: null }, { notification_digest: 'invalid' }],
      [
        'half a setting',
        { notification_settings: { deal_won: { push: true } } },
        { 'notification_settings.deal_won.email': 'required' },
      ],
      ['an unknown role', { role: 'god' }, { role: 'invalid' }],
      ['a status that is not set', { status: 'invited' }, { status: 'invalid' }],
      [
        'fields of the service',
        { email_address: 'x@acme.example', name: 'X', capabilities: {}, group_ids: [], avatar_url: 'x' },
        {
          email_address: 'not_allowed',
          name: 'not_allowed',
          capabilities: 'not_allowed',
          group_ids: 'not_allowed',
          avatar_url: 'not_allowed',
        },
      ],
    ])('400: %s', async (_, sent, problems) => {
      const before = await shown(member);
      expect(await problemsOf(change(member, member, sent as object))).toEqual(problems);
      expect(await shown(member)).toEqual(before);
    });

    it('403 for settings of others, admins too; 404 for other accounts', async () => {
      for (const by of [owner, admin]) {
        expect(await codeOf(change(by, member, { first_name: 'X' }))).toBe('403 permission_denied');
        expect(await codeOf(change(by, member, { role: 'admin', first_name: 'X' }))).toBe(
          '403 permission_denied',
        );
        expect(await codeOf(change(by, member, {}))).toBe('403 permission_denied');
      }
      expect(await codeOf(change(owner, workspace.ada, { role: 'admin' }))).toBe('404 record_not_found');
      expect((await shown(member)).role).toBe('member');
    });

    it('403 api_key_insufficient: a key of the reading tier', async () => {
      const params = { id: member.user.id };
      expect(await codeOf(member.reader.updateUser({ params, body: { user: {} } }))).toBe(
        '403 api_key_insufficient',
      );
    });

    it('412: for a user that changed meanwhile', async () => {
      const params = { id: member.user.id };
      const etag = (await member.reader.retrieveUser({ params })).headers.get('etag') ?? '';
      const headers = { 'If-Match': etag };
      await member.api.updateUser({ params, body: { user: { last_name: 'One' } }, headers });
      const again = member.api.updateUser({ params, body: { user: { last_name: 'Two' } }, headers });
      expect(await codeOf(again)).toBe('412 precondition_failed');
      const owning = admin.session.updateUser({ params, body: { user: { role: 'owner' } }, headers });
      expect(await codeOf(owning)).toBe('403 permission_denied');
    });
  });

  describe('rights', () => {
    beforeEach(given);

    it('200: an admin makes and unmakes admins, from the next request on, and it is kept', async () => {
      expect((await change(admin, member, { role: 'admin' })).body.user.role).toBe('admin');
      expect((await member.session.listAuditEvents()).status).toBe(200);
      expect((await change(admin, member, { role: 'member' })).body.user.role).toBe('member');
      expect(await codeOf(member.session.listAuditEvents())).toBe('403 permission_denied');
      expect((await events()).slice(0, 2)).toMatchObject([
        { changes: [{ field: 'role', before: 'admin', after: 'member' }] },
        {
          action: 'user_updated',
          user_id: admin.user.id,
          subject: { type: 'user', id: member.user.id, name: member.user.name },
          changes: [{ field: 'role', before: 'member', after: 'admin' }],
        },
      ]);
    });

    it('403 api_key_insufficient: any key that sends rights, an owner’s and together with settings too', async () => {
      for (const sent of [{ role: 'admin' }, { status: 'active' }, { first_name: 'X', role: 'owner' }]) {
        expect(await codeOf(withKey(owner, owner, sent))).toBe('403 api_key_insufficient');
        expect(await codeOf(withKey(member, member, sent))).toBe('403 api_key_insufficient');
      }
    });

    it('403: members change no rights, their own neither', async () => {
      expect(await codeOf(change(member, member, { role: 'admin' }))).toBe('403 permission_denied');
      expect(await codeOf(change(member, owner, { status: 'deactivated' }))).toBe('403 permission_denied');
    });

    it('403: only owners make and unmake owners', async () => {
      expect(await codeOf(change(admin, admin, { role: 'owner' }))).toBe('403 permission_denied');
      expect(await codeOf(change(admin, owner, { role: 'member' }))).toBe('403 permission_denied');
      expect(await codeOf(change(admin, owner, { status: 'deactivated' }))).toBe('403 permission_denied');
      expect((await change(owner, member, { role: 'owner' })).body.user.role).toBe('owner');
      expect(await owners()).toEqual({
        oldest: [owner.user.id, member.user.id].sort()[0],
        ids: [owner.user.id, member.user.id].sort(),
      });
    });

    it('owner_user_id is the oldest of several owners', async () => {
      await change(owner, admin, { role: 'owner' });
      await change(owner, member, { role: 'owner' });
      const all = [owner, admin, member].map(({ user }) => user.id).sort();
      expect(await owners()).toEqual({ oldest: all[0], ids: all });
      const oldest = [owner, admin, member].find(({ user }) => user.id === all[0]) as TestUser;
      await change(oldest, oldest, { role: 'admin' });
      expect((await owners()).oldest).toBe(all[1]);
    });

    it('422 last_owner: the only owner stays, whoever tries', async () => {
      for (const sent of [{ role: 'member' }, { role: 'admin' }, { status: 'deactivated' }])
        expect(await codeOf(change(owner, owner, sent))).toBe('422 last_owner');
      expect(await codeOf(owner.session.deleteUser({ params: { id: owner.user.id } }))).toBe(
        '422 last_owner',
      );
      expect((await owners()).ids).toEqual([owner.user.id]);
    });

    longIt('422 last_owner: of owners who remove each other at once, one stays', async () => {
      for (let round = 0; round < 2; round++) {
        await change(owner, admin, { role: 'owner' });
        const results = await Promise.allSettled([
          change(owner, admin, { role: 'member' }),
          change(admin, owner, { role: 'member' }),
          owner.session.deleteUser({ params: { id: admin.user.id } }),
        ]);
        expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
        const { records } = (await member.reader.listUsers()).body.collection;
        const left = records.filter(({ role, status }) => role === 'owner' && status === 'active');
        expect(left).toHaveLength(1);
        if (left[0]?.id === admin.user.id) [owner, admin] = [admin, owner];
        await workspace.table.update<User>(keys.user(admin.user.account_id, admin.user.id), {
          set: { status: 'active', role: 'admin' },
          remove: ['credentials_from'],
        });
      }
    });

    longIt('role and account change together or not at all', async () => {
      for (let calls = 0; calls < 9; calls++) {
        const crash = crashAfter(workspace.table, calls);
        await change(owner, member, { role: 'owner' }).catch(() => undefined);
        crash.remove();
        const { oldest, ids } = await owners();
        expect(oldest).toBe(ids[0]);
        const kept = (await events()).filter(({ changes }) => changes.some(({ after }) => after === 'owner'));
        expect(kept.length > 0).toBe(ids.length === 2);
        if (ids.length === 2) return;
      }
      expect.unreachable('the change is never made');
    });

    it('a deactivated user is refused at once, and comes back without old keys', async () => {
      const { secret } = (
        await member.session.createApiKey({ body: { api_key: { name: 'K', tier: 'read' } } })
      ).body.api_key;
      expect((await change(admin, member, { status: 'deactivated' })).body.user.status).toBe('deactivated');
      const clients = [member.api, member.reader, member.session, workspace.client(secret)];
      for (const client of clients) expect(await codeOf(client.listTags())).toBe('401 unauthorized');
      expect((await change(admin, member, { status: 'active' })).body.user.status).toBe('active');
      for (const client of clients) expect(await codeOf(client.listTags())).toBe('401 unauthorized');
      expect((await events()).slice(0, 2).map(({ action }) => action)).toEqual([
        'user_reactivated',
        'user_deactivated',
      ]);
    });

    it('an owner who is deactivated owns again afterwards', async () => {
      await change(owner, member, { role: 'owner' });
      await change(owner, member, { status: 'deactivated' });
      expect((await owners()).ids).toEqual([owner.user.id]);
      await change(owner, member, { status: 'active' });
      expect((await owners()).ids).toEqual([owner.user.id, member.user.id].sort());
    });
  });
});
