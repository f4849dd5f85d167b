import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { AppBrowser } from './app-page.ts';
import { type DocsServer, serveDocs } from './docs-server.ts';

/** The page at /app below the path of a stage, as in the cloud. */

let server: DocsServer;
let app: AppBrowser;

beforeAll(async () => {
  server = await serveDocs('/dev');
  app = await AppBrowser.start(server.url);
});
afterEach(() => app.endTest());
afterAll(async () => {
  await app?.stop();
  await server?.stop();
});

it('loads its files and calls the API there', async () => {
  const page = await app.open();
  await page.route('**/users/me', (route) =>
    route.fulfill({ status: 401, json: { error: { code: 'unauthorized' } } }),
  );
  await page.route('**/users', (route) =>
    route.fulfill({ status: 401, json: { error: { code: 'unauthorized' } } }),
  );
  const sent = page.waitForRequest(`${server.url}/users/me`);
  await page.fill('#key', 'wsk_live_example');
  await page.keyboard.press('Enter');
  expect((await sent).headers().authorization).toBe('Bearer wsk_live_example');
  await page.locator('.warning').waitFor();
  app.problems = app.problems.filter((each) => !/status of 401/.test(each));
});

it('may open a socket at its own host, and at no other', async () => {
  const page = await app.open();
  const refused = await page.evaluate<string[]>(`new Promise((resolve) => {
    const found = [];
    addEventListener('securitypolicyviolation', ({ blockedURI }) => found.push(blockedURI));
    const open = (url) => new Promise((done) => {
      try {
        new WebSocket(url).onerror = done;
      } catch {
        done();
      }
    });
    Promise.all([open(location.origin.replace('http', 'ws') + '/socket'), open('ws://other.example/socket')])
      .then(() => setTimeout(() => resolve(found), 200));
  })`);
  expect(refused).toEqual([expect.stringContaining('other.example')]);
  app.problems = app.problems.filter((each) => !/WebSocket|Connecting to 'ws:\/\/other\.example/.test(each));
});

it('makes no HTML of text, whoever asks', async () => {
  const page = await app.open();
  const refused = await page.evaluate<string>(`(() => {
    try {
      document.body.innerHTML = '<p>a';
      return 'was made';
    } catch (error) {
      return error.name;
    }
  })()`);
  expect(refused).toBe('TypeError');
  app.problems = app.problems.filter((each) => !/TrustedHTML/.test(each));
});

it('the harness notices scripts that run, and requests to other addresses', async () => {
  const page = await app.open();
  await page.evaluate("setTimeout(() => alert('a'))");
  await page.waitForEvent('dialog');
  await page.goto('http://other.example/').catch(() => undefined);
  expect(app.takeProblems()).toEqual(['a script ran: a', 'loads http://other.example/']);
});
