import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumFile, FLAGS } from './chromium.ts';
import { type DocsServer, serveDocs } from './docs-server.ts';

/** The documentation as people see it, below a stage's path as in the cloud. */

const WIDTHS = [390, 768, 1280];
const GUIDES = [
  ...['/errors', '/pagination', '/integrations', '/idempotency'],
  ...['/rate-limits', '/live-updates', '/assistant'],
];

let browser: Browser;
let server: DocsServer;
/** What went wrong in the pages of a test: errors and refusals by the policy, foreign addresses. */
let problems: string[] = [];

beforeAll(async () => {
  server = await serveDocs('/dev');
  browser = await chromium.launch({ executablePath: chromiumFile(), args: FLAGS });
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  const found = problems;
  problems = [];
  expect(found).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function openDocs(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`));
  page.on('console', (said) => {
    if (said.type() === 'error') problems.push(`${path}: ${said.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith('data:')) problems.push(`${path} loads ${url}`);
  });
  await page.goto(`${server.url}/docs${path}`);
  if (path === '' || path.startsWith('#')) await page.locator('.opblock-tag').first().waitFor();
  return page;
}

async function openOperation(page: Page, query: string): Promise<void> {
  await page.fill('#search', query);
  const link = page.locator('#results a').first();
  const id = `operations-${(await link.getAttribute('href'))?.slice(2).replace('/', '-')}`;
  await link.click();
  await page.locator(`#${id}.is-open .opblock-body`).waitFor();
}

/** https://www.w3.org/TR/WCAG22/#contrast-minimum */
async function faintText(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document, { runOnly: ['color-contrast'] })",
  );
  return violations.flatMap(({ nodes }) => nodes.map(({ target, any }) => `${target}: ${any[0]?.message}`));
}

const excessWidth = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('the search', () => {
  it.each([
    ['snoozeThread', 'POST /threads/{thread_id}/snooze Snooze a thread', '#/threads/snoozeThread'],
    ['list open', 'GET /threads/open List open threads', '#/threads/listOpenThreads'],
    [
      '/agent_configurations patch',
      'PATCH /agent_configurations',
      '#/agent_configurations/updateAgentConfiguration',
    ],
  ])('finds %s, and opens it', async (query, text, address) => {
    const page = await openDocs('');
    await page.fill('#search', query);
    const first = page.locator('#results a').first();
    expect(await first.textContent()).toContain(text.split(' ')[1]);
    expect(await first.getAttribute('href')).toBe(address);
    await openOperation(page, query);
    expect(await page.locator('.opblock.is-open').getAttribute('id')).toBe(
      `operations-${address.slice(2).replace('/', '-')}`,
    );
  });

  it('says when nothing has the words', async () => {
    const page = await openDocs('');
    await page.fill('#search', 'snooze zebra');
    expect(await page.locator('#found').textContent()).toBe('No operation has all these words.');
    expect(await page.locator('#results a').count()).toBe(0);
  });
});

describe('the reference', () => {
  it('comes after getting started, with all groups closed', async () => {
    const page = await openDocs('');
    expect(await page.locator('h1, h2').allTextContents()).toEqual(['Getting started', 'Reference']);
    const groups = page.locator('.opblock-tag');
    expect(await groups.count()).toBe(server.groups);
    expect(await page.locator('.opblock-tag[data-is-open="true"], .opblock').count()).toBe(0);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const heading = await page.locator('.opblock-tag small').first().boundingBox();
      expect(heading?.width, `${width} px`).toBeGreaterThan(150);
    }
  });

  it('resolves what each operation refers to, as Swagger UI itself would', async () => {
    const page = await openDocs('');
    const left = await page.evaluate<string[]>(`(() => {
      const document = ui.specSelectors.specJson().toJS();
      const resolved = Object.keys(document.paths).map((path) =>
        ui.fn.resolveSubtree(document, ['paths', path], { baseDoc: 'openapi.json' }));
      return JSON.stringify(resolved).match(/"\\$ref":"[^"]*"/g) ?? [];
    })()`);
    expect([...new Set(left)]).toEqual([]);
    // Its own also gives each operation the `security` of the document, to which the page falls back.
    const alike = await page.evaluate<boolean[]>(`(async () => {
      const document = ui.specSelectors.specJson().toJS();
      const own = SwaggerUIBundle({ spec: {}, domNode: window.document.createElement('div') });
      const inherited = JSON.stringify(document.security);
      const isOwn = ([key, value]) => key !== 'security' || JSON.stringify(value) !== inherited;
      const sorted = (value) =>
        Array.isArray(value) ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.entries(value).filter(isOwn).sort().map(([key, each]) => [key, sorted(each)])
        : value;
      const baseDoc = location.origin + '/openapi.json';
      const alike = [];
      for (const path of ['/contacts', '/threads/{thread_id}/comments']) {
        const read = async ({ fn }) =>
          JSON.stringify(sorted((await fn.resolveSubtree(document, ['paths', path], { baseDoc })).spec));
        alike.push((await read(ui)) === (await read(own)));
      }
      return alike;
    })()`);
    expect(alike).toEqual([true, true]);
    await openOperation(page, 'createComment');
    const body = page.locator('.opblock.is-open .opblock-body');
    await body.getByText('Names this request: give it to support.').first().waitFor();
  });

  it('opens the operation that an address names', async () => {
    const page = await openDocs('#/api_keys/createApiKey');
    await page.locator('#operations-api_keys-createApiKey.is-open').waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(1);
  });

  it('keeps the key over a reload, and forgets it after logging out', async () => {
    const page = await openDocs('');
    await page.locator('.btn.authorize').first().click();
    await page.locator('.auth-container input').fill('wsk_live_example');
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.reload();
    const stored = () => page.evaluate<string>("localStorage.getItem('authorized') ?? ''");
    expect(await stored()).toContain('wsk_live_example');
    await page.locator('.btn.authorize.locked').click();
    await page.locator('.auth-btn-wrapper button', { hasText: 'Logout' }).click();
    expect(await stored()).not.toContain('wsk_live_example');
  });

  it('sends the key to the API below the path of the stage', async () => {
    const page = await openDocs('');
    await page.locator('.btn.authorize').first().click();
    await page.locator('.auth-container input').fill('wsk_live_example');
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.btn-done').click();
    await openOperation(page, 'retrieveCurrentUser');
    await page.locator('.try-out__btn').click();
    const sent = page.waitForRequest(`${server.url}/users/me`);
    await page.locator('.btn.execute').click();
    expect((await sent).headers().authorization).toBe('Bearer wsk_live_example');
    await page.locator('.live-responses-table').waitFor();
    // The key is made up; Chromium reports the response.
    expect(problems.splice(0)).toEqual([
      expect.stringMatching(/: Failed to load resource: .* status of 401/),
    ]);
  });
});

describe('getting started', () => {
  it('shows the address of this API in lines to copy', async () => {
    const page = await openDocs('', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('.code', { hasText: '/users/me' }).locator('button').click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(`curl ${server.url}/users/me -H "Authorization: Bearer $KEY"`);
  });
});

describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
  async function checkLooks(page: Page): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await excessWidth(page), `${page.url()} at ${width} px`).toBe(0);
    }
    expect(await faintText(page)).toEqual([]);
    const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(28, 32, 34)' : 'rgb(255, 255, 255)');
  }

  it.each(GUIDES)('/docs%s is legible and scrolls in one direction', async (path) => {
    await checkLooks(await openDocs(path, { colorScheme }));
  });

  it('/docs is legible and scrolls in one direction, closed and with operations of all methods', async () => {
    const page = await openDocs('', { colorScheme });
    await checkLooks(page);
    for (const name of ['createTag', 'deleteTag', 'updateTag', 'listTags']) await openOperation(page, name);
    await checkLooks(page);
  });
});

it('leads nowhere that does not exist', async () => {
  const found = new Set<string>();
  for (const path of ['', ...GUIDES]) {
    const page = await openDocs(path);
    const links = await page.evaluate<string[]>('[...document.links].map(({ href }) => href)');
    for (const link of links) found.add(link);
  }
  const missing: string[] = [];
  for (const address of [...new Set([...found].map((each) => each.split('#')[0] as string))]) {
    const { status } = await fetch(address);
    if (status !== 200) missing.push(`${status} ${address}`);
  }
  expect(missing).toEqual([]);
  expect(found.size).toBeGreaterThan(60);
  const page = await openDocs('/errors');
  const anchors = [...found]
    .filter((each) => each.includes('/docs/errors#'))
    .map((each) => each.split('#')[1] as string);
  for (const anchor of anchors) expect(await page.locator(`[id="${anchor}"]`).count(), anchor).toBe(1);
});
