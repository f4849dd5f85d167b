import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unsubscribeToken } from '#shared/domain/collaboration/notifications/mails/token.ts';
import { problemsOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { raw } from '../../support/raw.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** docs/specification/notifications.md, "Mail" */
describe('GET /unsubscriptions', () => {
  let workspace: Workspace;
  let token: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    const { account_id, id: user_id } = workspace.grace.user;
    token = unsubscribeToken(workspace.ctx.config.cursor_keys, { account_id, user_id }, new Date());
  });
  afterAll(() => workspace?.stop());

  it('200: a page with a button that posts to its own address, and nothing else', async () => {
    const { status, headers, body } = await workspace.client().retrieveUnsubscription({ query: { token } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toMatch(/<form method="post"><button name="List-Unsubscribe" value="One-Click">/);
    expect(body).not.toMatch(/<script|<img|src=|href=|action=/);
    expect(body).not.toContain(token);
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('changes and reads nothing: programs that look for harmful links follow them', async () => {
    const fault = failNth(workspace.table, 0);
    for (const method of ['GET', 'HEAD'])
      expect((await raw(workspace.url, { method, path: `/unsubscriptions?token=${token}` })).status).toBe(
        200,
      );
    expect(fault.hit).toBe(false);
    fault.remove();
  });

  it('400: without a token of the last year', async () => {
    const page = (query: { token: string }) => workspace.client().retrieveUnsubscription({ query });
    for (const bad of ['', 'x', token.slice(0, -2), `${token}AA`])
      expect(await problemsOf(page({ token: bad }))).toEqual({ token: 'invalid' });
    expect(await problemsOf(workspace.client().retrieveUnsubscription({}))).toEqual({ token: 'required' });
  });
});
