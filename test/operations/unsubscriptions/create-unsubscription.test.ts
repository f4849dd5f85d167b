import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { unsubscribeToken } from '#shared/domain/collaboration/notifications/mails/token.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { problemsOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
import { mailAll, mailsOf, unsubscribeUrlOf } from '../../support/notification-mail.ts';
import { asJson, errorText, raw } from '../../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const settings = {
  task_assigned: { push: true, email: true },
  comment_mentioned: { push: false, email: true },
  deal_won: { push: false, email: false },
};
const ended = {
  task_assigned: { push: true, email: false },
  comment_mentioned: { push: false, email: false },
  deal_won: { push: false, email: false },
};

/** docs/specification/notifications.md, "Mail" */
describe('POST /unsubscriptions', () => {
  let workspace: Workspace;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ grace } = workspace);
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    await change(grace, { status: 'active' });
  });
  afterAll(() => workspace?.stop());

  const change = ({ user }: TestUser, set: Partial<User>) =>
    workspace.table.update<User>(keys.user(user.account_id, user.id), { set });
  const stored = async ({ user }: TestUser) =>
    (await workspace.table.get<User>(keys.user(user.account_id, user.id))) as User;
  const tokenOf = ({ user: { account_id, id } }: TestUser, now = new Date()) =>
    unsubscribeToken(workspace.ctx.config.cursor_keys, { account_id, user_id: id }, now);
  const wanting = (user = grace) =>
    user.api.updateUser({
      params: { id: user.user.id },
      body: { user: { notification_settings: settings } },
    });
  const end = (token: string) => workspace.client().createUnsubscription({ query: { token } });

  it('200: turns mail off for each event, without a session, and leaves the rest', async () => {
    await wanting();
    const before = await stored(grace);
    const { status, headers, body } = await end(tokenOf(grace));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('No more mail about notifications');
    const { notification_settings, updated_at, ...after } = await stored(grace);
    expect(notification_settings).toEqual(ended);
    expect(updated_at).not.toBe(before.updated_at);
    const { notification_settings: _, updated_at: __, ...rest } = before;
    expect(after).toEqual(rest);
    const { user } = (await grace.reader.retrieveCurrentUser()).body;
    expect(user.notification_settings).toEqual(ended);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'a form in parts',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ['text', 'text/plain', 'List-Unsubscribe=One-Click'],
    ['nothing', undefined, ''],
    ['broken JSON', 'application/json', '{'],
    ['another body', 'application/octet-stream', '\0\u{1f600}'],
  ])('200: from mail programs, with %s', async (_, type, body) => {
    await wanting();
    const headers: [string, string][] = type === undefined ? [] : [['Content-Type', type]];
    const response = await raw(workspace.url, {
      method: 'POST',
      path: `/unsubscriptions?token=${tokenOf(grace)}`,
      headers,
      body,
    });
    expect(response.status).toBe(200);
    expect((await stored(grace)).notification_settings).toEqual(ended);
  });

  it('200: twice, at once and where nothing is on; later mail may be wanted again', async () => {
    await wanting();
    const token = tokenOf(grace);
    const all = await Promise.all([1, 2, 3].map(() => end(token)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { updated_at } = await stored(grace);
    expect((await end(token)).status).toBe(200);
    expect((await stored(grace)).updated_at).toBe(updated_at);
    await wanting();
    expect((await stored(grace)).notification_settings).toEqual(settings);
  });

  it('200: beside a change of the user, which is not lost', async () => {
    await wanting();
    const params = { id: grace.user.id };
    const [{ status }] = await Promise.all([
      end(tokenOf(grace)),
      grace.api.updateUser({ params, body: { user: { week_starts_on: 'sunday' } } }),
    ]);
    expect(status).toBe(200);
    expect(await stored(grace)).toMatchObject({ week_starts_on: 'sunday', notification_settings: ended });
  });

  it('200: silently for users who are deactivated or gone, and in closed accounts', async () => {
    await wanting();
    await change(grace, { status: 'deactivated' });
    const page = (await end(tokenOf(grace))).body;
    expect((await stored(grace)).notification_settings).toEqual(ended);
    const { hank } = workspace;
    await wanting(hank);
    const account = keys.account(hank.user.account_id);
    await workspace.table.update<Account>(account, { set: { status: 'closed' } });
    expect((await end(tokenOf(hank))).body).toBe(page);
    expect((await stored(hank)).notification_settings).toEqual(ended);
    const nobody = { account_id: newId(new Date()), user_id: newId(new Date()) };
    const token = unsubscribeToken(workspace.ctx.config.cursor_keys, nobody, new Date());
    expect((await end(token)).body).toBe(page);
  });

  it('changes nobody but the user of the token, also of two accounts', async () => {
    await wanting();
    await wanting(workspace.linus);
    const mixed = { account_id: workspace.hank.user.account_id, user_id: workspace.linus.user.id };
    await end(unsubscribeToken(workspace.ctx.config.cursor_keys, mixed, new Date()));
    await end(tokenOf(grace));
    expect((await stored(workspace.linus)).notification_settings).toEqual(settings);
    expect(await workspace.table.get(keys.user(mixed.account_id, mixed.user_id))).toBeUndefined();
  });

  it('400: what is no token of the last year, without a call to the table', async () => {
    await wanting();
    const token = tokenOf(grace);
    const year = tokenOf(grace, new Date(Date.now() - 368 * 86_400_000));
    const fault = failNth(workspace.table, 0);
    for (const bad of [
      token.slice(1),
      `${token}A`,
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
      year,
      '',
      grace.user.id,
      grace.write_key,
    ])
      expect(await problemsOf(end(bad))).toEqual({ token: 'invalid' });
    expect(await problemsOf(workspace.client().createUnsubscription({}))).toEqual({ token: 'required' });
    expect(fault.hit).toBe(false);
    fault.remove();
    expect((await stored(grace)).notification_settings).toEqual(settings);
  });

  longIt('500: when the table fails, and 200 with the same link again', async () => {
    await wanting();
    const token = tokenOf(grace);
    for (let nth = 0, hit = true; hit; nth++) {
      const fault = failNth(workspace.table, nth);
      await end(token).catch(() => {});
      fault.remove();
      hit = fault.hit;
      expect((await end(token)).status).toBe(200);
      expect((await stored(grace)).notification_settings).toEqual(ended);
      await wanting();
    }
  });

  it('413: a body that is too large', async () => {
    const path = `/unsubscriptions?token=${tokenOf(grace)}`;
    const body = 'x'.repeat(5 * 1024 * 1024 + 1);
    const response = await raw(workspace.url, { method: 'POST', path, headers: [asJson], body });
    expect(errorText(response)).toContain('payload_too_large');
  });

  it('ends what is on its way, by the address in the header of a mail', async () => {
    await wanting();
    const assign = (name: string) =>
      workspace.ada.api.createTask({ body: { task: { name, assigned_user_id: grace.user.id } } });
    await assign('First');
    await mailAll(workspace);
    const [mail] = await mailsOf(workspace, grace);
    await assign('Second');
    const { searchParams, pathname } = unsubscribeUrlOf(mail as never);
    expect(pathname).toBe('/v1/unsubscriptions');
    await end(searchParams.get('token') as string);
    await mailAll(workspace);
    expect(await mailsOf(workspace, grace)).toHaveLength(1);
  });
});
