import { describe, expect, it } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { ISSUERS } from '#shared/openid-clients.ts';

describe('what a deployment sets of signing in', () => {
  it('the lifetimes of tokens and sessions, in seconds', () => {
    const read = (env: NodeJS.ProcessEnv) => readConfig(env).sign_in;
    expect(read({})).toMatchObject({
      ...{ access_token_seconds: 900, refresh_token_seconds: 30 * 86_400, session_seconds: 90 * 86_400 },
    });
    expect(
      read({ ACCESS_TOKEN_SECONDS: '3', REFRESH_TOKEN_SECONDS: '8', SESSION_SECONDS: '12' }),
    ).toMatchObject({ access_token_seconds: 3, refresh_token_seconds: 8, session_seconds: 12 });
  });

  const given = (name: string, issuer?: string) => ({
    [`${name}_CLIENT_ID`]: 'id',
    [`${name}_CLIENT_SECRET`]: 'secret',
    ...(issuer === undefined ? {} : { [`${name}_ISSUER`]: issuer }),
  });
  const client = (issuer: string) => ({ issuer, client_id: 'id', client_secret: 'secret' });
  const read = (env: NodeJS.ProcessEnv) => readConfig(env).openid;

  it('Google, Microsoft and any issuer, and where they send browsers back to', () => {
    const pages = ['https://app.acme.example/signed-in', 'https://acme.example/in'];
    const env = { ...given('GOOGLE'), ...given('MICROSOFT'), ...given('OIDC', 'https://id.acme.example') };
    expect(read({ ...env, REDIRECT_URLS: pages.join(',') })).toEqual({
      clients: {
        google: client(ISSUERS.google),
        microsoft: client(ISSUERS.microsoft),
        oidc: client('https://id.acme.example'),
      },
      redirect_urls: pages,
    });
    expect(read({})).toEqual({ clients: {}, redirect_urls: [] });
  });

  it('an issuer of this machine may speak http', () => {
    for (const issuer of ['http://127.0.0.1:4000', 'http://localhost:4000'])
      expect(read(given('OIDC', issuer)).clients.oidc).toEqual(client(issuer));
  });

  it.each([
    'http://id.acme.example',
    'http://127.0.0.1.acme.example',
    'ftp://id.acme.example',
    'id.acme.example',
  ])('but not %s', (issuer) => {
    expect(() => read(given('OIDC', issuer))).toThrow('OIDC_ISSUER must be an https address');
  });

  it.each([
    [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET go together'],
    [{ MICROSOFT_CLIENT_SECRET: 'secret' }, 'MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET go together'],
    [
      { OIDC_ISSUER: 'https://id.acme.example' },
      'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET go together',
    ],
    [{ ...given('OIDC') }, 'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET go together'],
    [{ REDIRECT_URLS: '/signed-in' }, 'REDIRECT_URLS must be addresses'],
    [{ REDIRECT_URLS: 'https://app.acme.example/#in' }, 'REDIRECT_URLS must be addresses'],
  ])('refuses %o', (env, message) => {
    expect(() => read(env)).toThrow(message);
  });
});
