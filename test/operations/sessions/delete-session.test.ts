import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenSession } from '../../support/sessions.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /sessions/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const refresh = (refresh_token: string) =>
    workspace.client().createAccessToken({ body: { refresh_token } });

  it('204: all of its tokens are refused from the next request on, and no others', async () => {
    const given = await givenSession(workspace, workspace.ada);
    const other = await givenSession(workspace, workspace.ada);
    const { access_token, refresh_token } = (await refresh(given.tokens.refresh_token)).body;
    const { id } = given.session;
    const { status, headers } = await other.api.deleteSession({ params: { id } });
    expect([status, headers.has('set-cookie')]).toEqual([204, false]);
    for (const api of [given.api, workspace.client(access_token)])
      expect(await codeOf(api.retrieveCurrentUser())).toBe('401 unauthorized');
    expect(await codeOf(refresh(refresh_token as string))).toBe('401 token_revoked');
    expect(await codeOf(refresh(given.tokens.refresh_token))).toBe('401 token_revoked');
    expect((await other.api.retrieveCurrentUser()).status).toBe(200);
  });

  it('204: the own one, whose cookie is cleared', async () => {
    const { session, api } = await givenSession(workspace, workspace.ada);
    const { headers } = await api.deleteSession({ params: { id: session.id } });
    expect(headers.get('set-cookie')).toMatch(/^refresh_token=; Max-Age=0; Path=\/access_tokens;/);
    expect(await codeOf(api.listSessions())).toBe('401 unauthorized');
  });

  it('404: one that is over, of a colleague, or of another account', async () => {
    const mine = await givenSession(workspace, workspace.ada);
    const del = (id: string) => workspace.ada.session.deleteSession({ params: { id } });
    expect((await del(mine.session.id)).status).toBe(204);
    expect(await codeOf(del(mine.session.id))).toBe('404 record_not_found');
    for (const user of [workspace.grace, workspace.hank]) {
      const { session, api } = await givenSession(workspace, user);
      expect(await codeOf(del(session.id))).toBe('404 record_not_found');
      expect((await api.retrieveCurrentUser()).status).toBe(200);
    }
    const expired = await givenSession(workspace, workspace.ada, new Date('2020-01-01'));
    expect(await codeOf(del(expired.session.id))).toBe('404 record_not_found');
  });

  it('403: an API key', async () => {
    const { session } = await givenSession(workspace, workspace.ada);
    const call = workspace.ada.api.deleteSession({ params: { id: session.id } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});
