import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import { revokeSecret } from '#shared/domain/identity/credentials/delete.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { endSession, endSessions } from '#shared/domain/identity/sessions/end.ts';
import { refreshSession } from '#shared/domain/identity/sessions/refresh.ts';
import {
  newFamily,
  newRefreshToken,
  type RefreshToken,
  readRefreshToken,
} from '#shared/domain/identity/sessions/refresh-token.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { idFloor, keys } from '#shared/table/keys.ts';
import { failCall, meanwhile } from '../../../support/faults.ts';
import { reduced, STRIDE } from '../../../support/long.ts';
import { type GivenSession, givenSession, storedSession, visit } from '../../../support/sessions.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('refreshing a session', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const START = Date.parse('2031-05-01T10:00:00Z');
  const at = (seconds: number) => new Date(START + seconds * 1_000);
  const DAY = 86_400;
  const open = () => givenSession(workspace, workspace.grace, at(0));
  const refresh = (token: string, seconds: number) => refreshSession(visit(workspace, at(seconds)), token);
  const outcome = (token: string, seconds: number) =>
    refresh(token, seconds).then(
      () => 'ok',
      (error) => error.code ?? error.name,
    );
  const works = async (secret: string, seconds: number) =>
    (await authenticate(workspace.table, hashSecret(secret), at(seconds))) !== undefined;
  const firstOf = ({ tokens }: GivenSession) => tokens.refresh_token;

  it('gives a new pair of tokens, and keeps the session', async () => {
    const given = await open();
    const next = await refresh(firstOf(given), 60);
    expect(next).toMatchObject({ expires_in: 900, refresh_seconds: 30 * DAY });
    expect(readRefreshToken(next.refresh_token)).toMatchObject({
      session_id: given.session.id,
      generation: 1,
    });
    expect(await works(next.access_token, 959)).toBe(true);
    expect(await works(next.access_token, 960)).toBe(false);
    // The older one works to its own end.
    expect([
      await works(given.tokens.access_token, 899),
      await works(given.tokens.access_token, 900),
    ]).toEqual([true, false]);
    expect(await outcome(next.refresh_token, 61)).toBe('ok');
  });

  it.each([
    [0, 'duplicate_refresh_attempted'],
    [10, 'duplicate_refresh_attempted'],
    [10.001, 'token_theft_detected'],
    [DAY, 'token_theft_detected'],
  ])('takes the token before, %s seconds later, for %s', async (later, code) => {
    const given = await open();
    const next = await refresh(firstOf(given), 60);
    expect(await outcome(firstOf(given), 60 + later)).toBe(code);
    const stolen = code === 'token_theft_detected';
    expect(await works(next.access_token, 61)).toBe(!stolen);
    expect(await works(given.tokens.access_token, 61)).toBe(!stolen);
    expect(await outcome(next.refresh_token, 60 + later)).toBe(stolen ? 'token_revoked' : 'ok');
  });

  it('takes any older token for stolen at once, however many there were', async () => {
    const given = await open();
    const tokens = [firstOf(given)];
    for (let i = 0; i < 5; i++) tokens.push((await refresh(tokens[i] as string, i)).refresh_token);
    expect(await outcome(tokens[1] as string, 5)).toBe('token_theft_detected');
    for (const token of tokens) expect(await outcome(token, 6)).toBe('token_revoked');
    expect(await storedSession(workspace, given.session)).toMatchObject({ ended_by: 'theft' });
  });

  it('takes a made-up token for stolen only when its maker had a token of the session', async () => {
    const given = await open();
    const known = readRefreshToken(firstOf(given)) as RefreshToken;
    const guessed = newRefreshToken({ ...known, family: newFamily() });
    const { ada, hank } = workspace;
    const others = [ada, hank].map(({ user }) => newRefreshToken({ ...known, user_id: user.id }));
    for (const token of [guessed, ...others])
      expect(await outcome(token.text, 1)).toBe('invalid_refresh_token');
    expect(await outcome(firstOf(given), 2)).toBe('ok');
    const newer = newRefreshToken({ ...known, generation: 7 });
    expect(await outcome(newer.text, 3)).toBe('token_theft_detected');
  });

  it('ends 30 days after the last refresh, and 90 days after signing in', async () => {
    const idle = await open();
    expect(await outcome(firstOf(idle), 30 * DAY)).toBe('expired_refresh_token');
    const busy = await open();
    let token = firstOf(busy);
    for (const day of [29, 58, 87]) token = (await refresh(token, day * DAY)).refresh_token;
    const last = await refresh(token, 90 * DAY - 60);
    expect(last).toMatchObject({ expires_in: 60, refresh_seconds: 60 });
    expect([await works(last.access_token, 90 * DAY - 1), await works(last.access_token, 90 * DAY)]).toEqual([
      true,
      false,
    ]);
    expect(await outcome(last.refresh_token, 90 * DAY)).toBe('expired_refresh_token');
  });

  it('is over when the session ends, by any way', async () => {
    const given = await open();
    expect(await endSession(workspace.table, given.session, 'user', at(1))).toBe(true);
    expect(await endSession(workspace.table, given.session, 'user', at(1))).toBe(false);
    expect([await outcome(firstOf(given), 2), await works(given.tokens.access_token, 2)]).toEqual([
      'token_revoked',
      false,
    ]);
    const one = await open();
    const two = await givenSession(workspace, workspace.grace, at(1));
    const credentials_from = idFloor(at(0.5).getTime());
    await endSessions(workspace.table, { ...workspace.grace.user, credentials_from }, at(1));
    expect([await works(one.tokens.access_token, 2), await works(two.tokens.access_token, 2)]).toEqual([
      false,
      true,
    ]);
  });

  it('is refused to a user who was deactivated since, and is back', async () => {
    const { user } = workspace.linus;
    const given = await givenSession(workspace, workspace.linus, at(0));
    await workspace.table.update<User>(keys.user(user.account_id, user.id), {
      set: { credentials_from: idFloor(at(1).getTime()) },
    });
    expect(await outcome(firstOf(given), 2)).toBe('token_revoked');
  });

  it('is over once an operator revokes any of its tokens', async () => {
    for (const leaked of ['old', 'new', 'access'] as const) {
      const given = await open();
      const next = await refresh(firstOf(given), 1);
      const secrets = { old: firstOf(given), new: next.refresh_token, access: next.access_token };
      const revoked = await revokeSecret({ table: workspace.table, now: at(2) }, secrets[leaked]);
      expect(revoked).toMatchObject({ id: given.session.id, kind: 'session' });
      expect(await outcome(next.refresh_token, 3)).toBe('token_revoked');
      expect(await works(given.tokens.access_token, 3)).toBe(false);
    }
    const known = readRefreshToken(firstOf(await open()));
    const guessed = newRefreshToken({ ...(known as RefreshToken), family: newFamily() });
    expect(await revokeSecret({ table: workspace.table, now: at(2) }, guessed.text)).toBeUndefined();
  });

  it('of many requests with one token at once, serves one', async () => {
    const given = await open();
    const many = Array.from({ length: reduced(100) }, () => outcome(firstOf(given), 60));
    const outcomes = await Promise.all(many);
    expect(outcomes.filter((each) => each === 'ok')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'duplicate_refresh_attempted']));
  });

  it('serves nobody when the session ends meanwhile', async () => {
    const given = await open();
    const fault = meanwhile(workspace.table, 'PutItemCommand', () =>
      endSession(workspace.table, given.session, 'user', at(60)),
    );
    expect(await outcome(firstOf(given), 60)).toBe('token_revoked');
    fault.remove();
  });

  it.each(['before', 'after'] as const)('fails %s any call, and works with the same token', async (when) => {
    for (let call = 1; ; call += STRIDE) {
      const given = await open();
      const fault = failCall(workspace.table, call, when);
      const first = await outcome(firstOf(given), 60);
      fault.remove();
      if (!fault.hit) break;
      expect([
        'InjectedFault',
        'could_not_save_access_token',
        'could_not_save_refresh_token',
        'ok',
      ]).toContain(first);
      expect(await outcome(firstOf(given), 61)).toBe(first === 'ok' ? 'duplicate_refresh_attempted' : 'ok');
    }
  });
});
