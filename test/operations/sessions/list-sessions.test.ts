import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueSession } from '#shared/domain/identity/sessions/issue.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenSession } from '../../support/sessions.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /sessions', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const START = Date.parse('2031-05-01T10:00:00Z');
  const at = (seconds: number) => {
    const time = new Date(START + seconds * 1_000);
    workspace.setTime(time);
    return time;
  };
  const sessionsOf = async ({ session }: Pick<TestUser, 'session'>) =>
    (await session.listSessions()).body.sessions;

  it("the user's own, oldest first, without tokens, with their last use", async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const first = await givenSession(workspace, user, at(0));
    const second = await givenSession(workspace, user, at(1));
    at(60);
    await first.api.retrieveCurrentUser();
    const [seeded, ...sessions] = await sessionsOf({ session: second.api });
    expect(seeded).toMatchObject({ user_agent: null, ip_address: null, expires_at: null, current: false });
    expect(sessions).toEqual([
      {
        id: first.session.id,
        user_id: user.user.id,
        account_id: user.user.account_id,
        access_token: null,
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: null,
        user_agent: 'Test/1.0',
        ip_address: '192.0.2.7',
        last_used_at: '2031-05-01T10:01:00.000Z',
        expires_at: '2031-05-31T10:00:00.000Z',
        current: false,
        created_at: '2031-05-01T10:00:00.000Z',
        updated_at: null,
      },
      expect.objectContaining({ id: second.session.id, current: true }),
    ]);
  });

  it('shows who refreshed last, and when', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const { session, tokens } = await givenSession(workspace, user, at(0));
    at(120);
    const { refresh_token } = tokens;
    await workspace.client().createAccessToken({
      body: { refresh_token },
      headers: { 'User-Agent': `Phone/${'x'.repeat(600)}` },
    });
    const shown = (await sessionsOf(user)).find(({ id }) => id === session.id);
    expect(shown).toMatchObject({
      ip_address: '127.0.0.1',
      last_used_at: '2031-05-01T10:02:00.000Z',
      updated_at: '2031-05-01T10:02:00.000Z',
      expires_at: '2031-05-31T10:02:00.000Z',
    });
    expect(shown?.user_agent).toMatch(/^Phone\/x{494}$/);
  });

  it('leaves out those that are over, and those of colleagues', async () => {
    const [user, colleague] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const ended = await givenSession(workspace, user, at(0));
    await givenSession(workspace, colleague, at(0));
    const expired = await issueSession(workspace.table, user.user, at(60), at(0));
    await ended.api.deleteCurrentSession();
    expect((await sessionsOf(user)).map(({ id }) => id)).toContain(expired.session.id);
    at(60);
    const left = await sessionsOf(user);
    expect(left).toHaveLength(1);
    expect(left[0]).toMatchObject({ current: true, user_id: user.user.id });
  });

  it('200 while the user has to accept the terms, as are refreshing and signing out', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const { api, tokens, session } = await givenSession(workspace, user);
    await workspace.table.update<User>(keys.user(user.user.account_id, user.user.id), {
      set: { terms_pending: true },
    });
    expect(await codeOf(api.retrieveCurrentUser())).toBe('403 terms_acceptance_required');
    const { refresh_token } = tokens;
    const { body } = await api.createAccessToken({ body: { refresh_token } });
    const next = workspace.client(body.access_token);
    expect((await next.listSessions()).body.sessions.map(({ id }) => id)).toContain(session.id);
    expect((await user.session.deleteSession({ params: { id: session.id } })).status).toBe(204);
    expect((await user.session.deleteCurrentSession()).status).toBe(204);
  });

  it('403: an API key', async () => {
    expect(await codeOf(workspace.ada.api.listSessions())).toBe('403 api_key_insufficient');
  });
});
