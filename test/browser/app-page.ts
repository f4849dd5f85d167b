import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumFile, FLAGS } from './chromium.ts';

/** The page at /app in a browser, and what goes wrong in it. */

export const WIDTHS = [390, 768, 1280];

export class AppBrowser {
  readonly url: string;
  private readonly browser: Browser;
  private readonly has_sockets: boolean;
  /** Errors of scripts, and refusals by the policy. */
  problems: string[] = [];
  /** Scripts of strangers that ran. */
  private harm: string[] = [];
  /** Requests to other addresses that the policy let through. */
  foreign = new Set<Request>();

  private constructor(browser: Browser, url: string, has_sockets: boolean) {
    this.browser = browser;
    this.url = url;
    this.has_sockets = has_sockets;
  }

  /** `has_sockets`: the service lets sockets in; elsewhere it is one without live updates. */
  static async start(url: string, { has_sockets = false } = {}): Promise<AppBrowser> {
    const browser = await chromium.launch({ executablePath: chromiumFile(), args: FLAGS });
    return new AppBrowser(browser, url, has_sockets);
  }

  async open(path = '', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    if (!this.has_sockets)
      await context.route('**/socket_tickets', (route) =>
        route.fulfill({
          status: 404,
          json: { error: { code: 'not_found', message: 'There is no such path.' } },
        }),
      );
    const page = await context.newPage();
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (said) => {
      // A service without sockets says so once.
      if (said.type() === 'error' && !said.location().url.endsWith('/socket_tickets'))
        this.problems.push(said.text());
    });
    page.on('dialog', (dialog) => {
      this.harm.push(`a script ran: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (/^\w+:\/\//.test(request.url()) && !request.url().startsWith(this.url)) this.foreign.add(request);
    });
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') this.foreign.delete(request);
    });
    await page.goto(`${this.url}/app${path}`);
    return page;
  }

  /** Signed in by keyboard. */
  async signIn(key: string, path = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(path, options);
    await page.locator('#key:focus').waitFor();
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.locator('body.signed-in').waitFor();
    return page;
  }

  /** What went wrong since the last call. */
  takeProblems(): string[] {
    const foreign = [...this.foreign].map((request) => `loads ${request.url()}`);
    const found = [...this.harm, ...foreign, ...this.problems];
    this.harm = [];
    this.problems = [];
    this.foreign.clear();
    return found;
  }

  /** Closes what a test opened; it must have caused no problems. */
  async endTest(): Promise<void> {
    for (const context of this.browser.contexts()) await context.close();
    expect(this.takeProblems()).toEqual([]);
  }

  stop = () => this.browser.close();
}

/** Until the list and the detail have something to show. */
export async function loaded(page: Page): Promise<void> {
  const isLoaded = () =>
    page.evaluate<boolean>(`
      [...document.querySelectorAll('h1, .quiet')].every(({ textContent }) => !textContent.startsWith('Loading')) &&
      (document.querySelector('.dashboard') === null || document.querySelector('.tile') !== null)`);
  await expect.poll(isLoaded, { timeout: 20_000 }).toBe(true);
}

export const goTo = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForTimeout(100);
  await loaded(page);
};

/** What axe finds, by all of its rules. */
export async function violations(page: Page): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { iframes: false })');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
}

export const excessWidth = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
