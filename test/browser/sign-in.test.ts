import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { givenCode } from '../support/one-time-codes.ts';
import { REDIRECT, startProvider, type TestProvider } from '../support/openid-provider.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';
import { chromiumFile, FLAGS } from './chromium.ts';

/** The cookies of signing in, as a browser keeps and sends them. */

/** A host that the browser takes for another site, on this machine. */
const EVIL = 'evil.example';
const rules = `--host-resolver-rules=MAP ${EVIL} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`;

interface Answer {
  status: number;
  body: {
    access_token?: string;
    refresh_token?: string;
    session?: { refresh_token: string | null };
    authorization?: { url: string };
  };
}

let workspace: Workspace;
let provider: TestProvider;
let browser: Browser;
/** Serves an empty page under any host, and any path. */
let elsewhere: Server;
let port: number;

beforeAll(async () => {
  [workspace, provider] = await Promise.all([startWorkspace(), startProvider()]);
  workspace.ctx.config.openid = { clients: { oidc: provider.client }, redirect_urls: [REDIRECT] };
  elsewhere = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>Hello'));
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  ({ port } = elsewhere.address() as AddressInfo);
  browser = await chromium.launch({
    executablePath: chromiumFile(),
    args: [...FLAGS.filter((flag) => !flag.startsWith('--host-resolver-rules')), rules],
  });
});
afterEach(async () => {
  workspace.setTime(undefined);
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser?.close();
  elsewhere?.closeAllConnections();
  elsewhere?.close();
  await Promise.all([workspace?.stop(), provider?.stop()]);
});

/** A page of the service: any response of it has its origin. */
async function ownPage(context?: BrowserContext): Promise<Page> {
  const page = await (context ?? (await browser.newContext())).newPage();
  await page.goto(`${workspace.url}/health`);
  return page;
}

/** A request of a script of the page. */
const post = (page: Page, path: string, body: object = {}): Promise<Answer> =>
  page.evaluate(
    async ([url, text]) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url as string, { method: 'POST', body: text as string, headers });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    },
    [`${workspace.url}${path}`, JSON.stringify(body)],
  );

const cookieOf = async (page: Page, name = 'refresh_token') =>
  (await page.context().cookies(`${workspace.url}/access_tokens`)).find((each) => each.name === name);

async function signedIn(): Promise<Page> {
  const page = await ownPage();
  const email_address = workspace.ada.user.email_address;
  const one_time_code = await givenCode(workspace, email_address);
  const { status, body } = await post(page, '/sessions', { session: { email_address, one_time_code } });
  expect([status, body.session?.refresh_token]).toEqual([201, null]);
  return page;
}

describe('the refresh token in a browser', () => {
  it('is in a cookie that no script reads, which every exchange replaces', async () => {
    const page = await signedIn();
    const first = await cookieOf(page);
    expect(first).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/access_tokens' });
    expect(await page.evaluate('document.cookie')).toBe('');
    const { status, body } = await post(page, '/access_tokens');
    expect([status, body.refresh_token]).toEqual([200, undefined]);
    expect((await workspace.client(body.access_token).retrieveCurrentUser()).body.user.id).toBe(
      workspace.ada.user.id,
    );
    const second = await cookieOf(page);
    expect(second?.value).not.toBe(first?.value);
    expect((await post(page, '/access_tokens')).status).toBe(200);
  });

  it('goes when the user signs out', async () => {
    const page = await signedIn();
    const { access_token } = (await post(page, '/access_tokens')).body;
    const status = await page.evaluate(
      async ([url, token]) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${url}/sessions/current`, { method: 'DELETE', headers })).status;
      },
      [workspace.url, access_token],
    );
    expect([status, await cookieOf(page)]).toEqual([204, undefined]);
    expect((await post(page, '/access_tokens')).status).toBe(400);
  });

  it.each([
    ['of another site, whose requests have no cookie', EVIL, 400],
    ['of another port of the same host, which cookies do not tell apart', '127.0.0.1', 403],
  ])('is of no use to a page %s, by a script or a form', async (_, host, status) => {
    const page = await signedIn();
    const before = await cookieOf(page);
    const evil = await page.context().newPage();
    await evil.goto(`http://${host}:${port}/`);
    const target = `${workspace.url}/access_tokens`;
    // A script sees nothing of the response, and one with JSON is not sent at all.
    const seen = await evil.evaluate(async (url) => {
      const options = { method: 'POST', credentials: 'include' } as const;
      const blind = await fetch(url, { ...options, mode: 'no-cors', body: '{}' });
      const headers = { 'content-type': 'application/json' };
      const refused = await fetch(url, { ...options, body: '{}', headers }).catch((error) => error.name);
      return [blind.type, refused];
    }, target);
    expect(seen).toEqual(['opaque', 'TypeError']);
    const [response] = await Promise.all([
      evil.waitForResponse(target),
      evil.evaluate(`
        const form = document.createElement('form');
        Object.assign(form, { action: '${target}', method: 'post', enctype: 'text/plain' });
        document.body.append(form);
        form.submit();
      `),
    ]);
    expect(response.status()).toBe(status);
    expect((await cookieOf(page))?.value).toBe(before?.value);
    expect((await post(page, '/access_tokens')).status).toBe(200);
  });
});

describe('signing in by a provider in a browser', () => {
  const begin = async (page: Page) => {
    const { body } = await post(page, '/sessions/authorizations', {
      provider: 'oidc',
      redirect_url: REDIRECT,
    });
    return body.authorization?.url as string;
  };
  /** What the provider sends back for Ada. */
  const brought = async (url: string) => {
    provider.people.ada = { email: workspace.ada.user.email_address, email_verified: true };
    const { code, state, iss } = await provider.authorize(url, 'ada');
    return { session: { provider: 'oidc', authorization_code: code, state, iss } };
  };

  it('ends in the browser that began it', async () => {
    const page = await ownPage();
    const sent = await brought(await begin(page));
    expect(await cookieOf(page, 'authorization')).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('document.cookie')).toBe('');
    expect((await post(page, '/sessions', sent)).status).toBe(201);
    expect(await cookieOf(page)).toBeDefined();
  });

  it('signs nobody in with what an attacker began', async () => {
    const [attacker, victim] = [await ownPage(), await ownPage()];
    await begin(victim);
    const sent = await brought(await begin(attacker));
    expect((await post(victim, '/sessions', sent)).status).toBe(401);
    expect(await cookieOf(victim)).toBeUndefined();
    expect((await post(attacker, '/sessions', sent)).status).toBe(201);
  });
});
