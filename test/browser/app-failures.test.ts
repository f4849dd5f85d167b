import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../support/workspace.ts';
import { type AppBrowser, goTo, loaded } from './app-page.ts';
import { type AppWorkspace, startAppWorkspace } from './app-workspace.ts';

/** What the page at /app does when something fails, and with the key that it keeps. */

let started: AppWorkspace;
let workspace: Workspace;
let app: AppBrowser;

beforeAll(async () => {
  started = await startAppWorkspace();
  ({ workspace, app } = started);
});
afterEach(() => app.endTest());
afterAll(() => started?.stop());

const stored = (page: Page) =>
  page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');

/** Chromium reports each failed request: here they are meant to fail. */
function expectFailures(text: RegExp): void {
  expect(app.problems.some((each) => text.test(each))).toBe(true);
  app.problems = app.problems.filter((each) => !text.test(each));
}

describe('the key', () => {
  it('is in no address and no output, stays over a reload, and goes when the user signs out', async () => {
    const key = workspace.ada.write_key;
    const addresses: string[] = [];
    const output: string[] = [];
    const page = await app.open();
    page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
    page.on('console', (said) => output.push(said.text()));
    await page.fill('#key', key);
    await page.keyboard.press('Enter');
    await page.locator('body.signed-in').waitFor();
    for (const hash of ['#/threads', '#/contacts', '#/search?query=a']) {
      await goTo(page, hash);
      addresses.push(page.url());
    }
    await page.reload();
    await page.locator('body.signed-in').waitFor();
    expect(await stored(page)).toContain(key);
    expect(addresses.length).toBeGreaterThan(10);
    expect([...addresses, ...output].filter((each) => each.includes(key))).toEqual([]);
    await page.locator('#sign-out').press('Enter');
    await page.locator('#status', { hasText: 'The key is forgotten.' }).waitFor();
    expect(await stored(page)).not.toContain(key);
    expect(await page.locator('.row, .tile').count()).toBe(0);
    await page.reload();
    await page.locator('#key').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  it('may be the access token of a session', async () => {
    const page = await app.signIn(workspace.grace.session_token);
    expect(await page.locator('#who').textContent()).toBe('Grace Hopper');
  });

  it('that is not accepted is forgotten, with the reason', async () => {
    const page = await app.open();
    await page.fill('#key', 'wsk_live_mistyped');
    await page.keyboard.press('Enter');
    await page.locator('.warning', { hasText: 'The key was not accepted.' }).waitFor();
    expect(await stored(page)).not.toContain('mistyped');
    expectFailures(/status of 401/);
  });

  it('that is revoked while it is used leads to the sign-in', async () => {
    const { session } = workspace.ada;
    const created = (await session.createApiKey({ body: { api_key: { name: 'Short', tier: 'read' } } })).body
      .api_key;
    const page = await app.signIn(created.secret);
    await session.deleteApiKey({ params: { id: created.id } });
    await page.evaluate("location.hash = '#/tasks'");
    await page.locator('.warning', { hasText: 'The key was not accepted.' }).waitFor();
    expect(await page.locator('#key:focus').count()).toBe(1);
    expectFailures(/status of 401/);
  });

  it('that may only read reads, and acting says why not', async () => {
    const { contact } = (await workspace.ada.api.createContact({ body: { contact: { name: 'Priya' } } }))
      .body;
    const page = await app.signIn(workspace.ada.read_key, `#/contacts/${contact.id}`);
    await page.locator('#detail h1', { hasText: 'Priya' }).waitFor();
    await page.keyboard.press('s');
    await page.locator('#problem', { hasText: 'This key may only read.' }).waitFor();
    expectFailures(/status of 403/);
  });
});

describe('failures', () => {
  it('429 is explained, and the request is sent again when it may be', async () => {
    const page = await app.signIn(workspace.ada.write_key);
    await loaded(page);
    let refused = 0;
    await page.route('**/tasks?*', (route) => {
      if (refused > 0) return route.continue();
      refused++;
      return route.fulfill({
        status: 429,
        headers: { 'Retry-After': '2' },
        json: { error: { code: 'rate_limited', message: 'Too many.' } },
      });
    });
    await page.evaluate("location.hash = '#/tasks'");
    await page.locator('#problem', { hasText: 'Too many requests. Trying again in 2 seconds.' }).waitFor();
    await page.locator('.list', { hasText: 'Nothing here.' }).waitFor();
    expect(await page.locator('#problem').textContent()).toBe('');
    expect(refused).toBe(1);
    expectFailures(/status of 429/);
  });

  it('offline is explained, what is shown and written stays, and the page goes on afterwards', async () => {
    const { contact } = (await workspace.ada.api.createContact({ body: { contact: { name: 'Moira' } } }))
      .body;
    const page = await app.signIn(workspace.ada.write_key, `#/contacts/${contact.id}`);
    await page.locator('#detail h1', { hasText: 'Moira' }).waitFor();
    await page.context().setOffline(true);
    await page.locator('#detail textarea').fill('Do not lose me');
    await page.keyboard.press('Control+Enter');
    await page.locator('#problem', { hasText: 'The service cannot be reached.' }).waitFor();
    expect(await page.locator('#detail textarea').inputValue()).toBe('Do not lose me');
    expect(await page.locator('#detail h1').textContent()).toBe('Moira');
    await page.context().setOffline(false);
    await expect.poll(() => page.locator('#problem').textContent()).toBe('');
    await page.keyboard.press('Control+Enter');
    await page.locator('.comment', { hasText: 'Do not lose me' }).waitFor();
    expectFailures(/ERR_INTERNET_DISCONNECTED/);
  });

  it('a record that is gone is said so, and the page still works', async () => {
    const page = await app.signIn(workspace.ada.write_key, '#/tasks/00000000-0000-7000-8000-000000000000');
    await page.locator('#problem', { hasText: 'There is no such record' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/app#/contacts');
    expect(await page.locator('#problem').textContent()).toBe('');
    expectFailures(/status of 404/);
  });

  it('an address of nothing leads to the front page', async () => {
    const page = await app.signIn(workspace.ada.write_key, '#/__proto__/x');
    await page.waitForURL('**/app#/');
    await page.locator('.tile').first().waitFor();
  });
});

describe('live updates', () => {
  /** A socket of the page's own host, as the service has it (the ticket is answered here). */
  async function withSocket(page: Page, opening = () => {}, asking = async () => {}) {
    await page.route('**/socket_tickets', async (route) => {
      await asking();
      await route.fulfill({
        status: 201,
        json: {
          socket_ticket: {
            ticket: 'once',
            url: `${workspace.url.replace('http', 'ws')}/socket`,
            expires_at: '',
          },
        },
      });
    });
    const opened = Promise.withResolvers<{ url: string; send(text: string): void; close(): Promise<void> }>();
    await page.routeWebSocket('**/socket?*', (socket) => {
      opening();
      opened.resolve({ url: socket.url(), send: (text) => socket.send(text), close: () => socket.close() });
    });
    return opened.promise;
  }

  it('come by the socket where the service has one', async () => {
    const page = await app.open();
    const connected = withSocket(page);
    await page.fill('#key', workspace.ada.write_key);
    await page.keyboard.press('Enter');
    const socket = await connected;
    expect(new URL(socket.url).searchParams.get('ticket')).toBe('once');
    await goTo(page, '#/contacts');
    await workspace.ada.api.createContact({ body: { contact: { name: 'Aaron by socket' } } });
    socket.send(JSON.stringify({ type: 'ping', at: '', data: {} }));
    socket.send('junk');
    socket.send(JSON.stringify({ type: 'notification.created', at: '', data: {} }));
    await page.locator('.row', { hasText: 'Aaron by socket' }).waitFor();
  });

  it('come every 30 seconds when a socket is silent, until the next one', async () => {
    const page = await app.open();
    await page.clock.install();
    let opened = 0;
    const connected = withSocket(page, () => {
      opened++;
    });
    await page.fill('#key', workspace.ada.write_key);
    await page.keyboard.press('Enter');
    await connected;
    await goToFrozen(page, '#/contacts');
    await workspace.ada.api.createContact({ body: { contact: { name: 'Enoch by poll' } } });
    await page.clock.runFor(151_000);
    await page.locator('.row', { hasText: 'Enoch by poll' }).waitFor();
    await expect.poll(() => opened).toBe(2);
  });

  it('are read once more when the socket is open', async () => {
    const page = await app.open();
    const asked = Promise.withResolvers<void>();
    const ticket = Promise.withResolvers<void>();
    const connected = withSocket(
      page,
      () => {},
      async () => {
        asked.resolve();
        await ticket.promise;
      },
    );
    await page.fill('#key', workspace.ada.write_key);
    await page.keyboard.press('Enter');
    await asked.promise;
    await goTo(page, '#/contacts');
    await workspace.ada.api.createContact({ body: { contact: { name: 'Adah before the socket' } } });
    ticket.resolve();
    await connected;
    await page.locator('.row', { hasText: 'Adah before the socket' }).waitFor({ timeout: 10_000 });
  });

  it('come every 30 seconds without a socket, which is asked for once', async () => {
    const page = await app.open();
    await page.clock.install();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/socket_tickets')) asked++;
    });
    await page.fill('#key', workspace.ada.write_key);
    await page.keyboard.press('Enter');
    await page.locator('body.signed-in').waitFor();
    await goToFrozen(page, '#/contacts');
    await workspace.ada.api.createContact({ body: { contact: { name: 'Abel by poll' } } });
    await page.clock.runFor(31_000);
    await page.locator('.row', { hasText: 'Abel by poll' }).waitFor();
    await page.clock.runFor(31_000);
    expect(asked).toBe(1);
  });

  const goToFrozen = async (page: Page, hash: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.locator('h1', { hasText: 'Contacts' }).waitFor();
  };
});
