import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenSession } from '../../support/sessions.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /sessions/current', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('204: signs out, and clears the cookie with the attributes that it was set with', async () => {
    const { api, tokens } = await givenSession(workspace, workspace.grace);
    const { refresh_token } = tokens;
    const given = await workspace.client().createAccessToken({ body: { refresh_token } });
    const { status, headers } = await api.deleteCurrentSession();
    expect(status).toBe(204);
    const attributes = (cookie: string | null) =>
      cookie?.split('; ').filter((part) => !/^(refresh_token|Max-Age)=/.test(part));
    expect(headers.get('set-cookie')).toMatch(/^refresh_token=; Max-Age=0; /);
    expect(attributes(headers.get('set-cookie'))).toEqual(attributes(given.headers.get('set-cookie')));
    expect(await codeOf(api.deleteCurrentSession())).toBe('401 unauthorized');
    const next = given.body.refresh_token as string;
    const refreshed = workspace.client().createAccessToken({ body: { refresh_token: next } });
    expect(await codeOf(refreshed)).toBe('401 token_revoked');
  });

  it('204: ends a session that an operator issued', async () => {
    const { session } = workspace.linus;
    expect((await session.deleteCurrentSession()).status).toBe(204);
    expect(await codeOf(session.retrieveCurrentUser())).toBe('401 unauthorized');
    expect((await workspace.linus.api.retrieveCurrentUser()).status).toBe(200);
  });

  it('403: an API key', async () => {
    expect(await codeOf(workspace.ada.api.deleteCurrentSession())).toBe('403 api_key_insufficient');
  });
});
