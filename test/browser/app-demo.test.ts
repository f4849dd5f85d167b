import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '#shared/api/client.ts';
import { families } from '../../functions/catalogue.ts';
import { demoUser } from '../../infra/local/demo/fill.ts';
import { type StartedDemo, startDemo } from '../../infra/local/demo/with-demo.ts';
import { AppBrowser, excessWidth, goTo, loaded, violations, WIDTHS } from './app-page.ts';

/** The page at /app on the demo workspace: how it looks, and every act by keyboard alone. */

let demo: StartedDemo;
let app: AppBrowser;
let api: Client<typeof families>;
let key: string;

beforeAll(async () => {
  demo = await startDemo();
  key = demoUser(demo.demo, 'ada').write_key;
  api = createClient(families, { base_url: demo.stack.url, key });
  app = await AppBrowser.start(demo.stack.url, { has_sockets: true });
}, 300_000);
afterEach(() => app.endTest());
afterAll(async () => {
  await app?.stop();
  await demo?.stop();
});

const press = async (page: Page, ...keys: string[]) => {
  for (const each of keys) await page.keyboard.press(each);
};

/** The list of a section, opened by its two keys; the focus is on its first row. */
async function openSection(page: Page, letter: string, hash: string): Promise<void> {
  await press(page, 'g', letter);
  await page.waitForURL(`**/app#/${hash}`);
  await page.locator('.row').first().waitFor();
  await press(page, 'j');
  await page.locator('.row:focus').waitFor();
}

/** Opens the row that has the focus; its id. */
async function openRow(page: Page): Promise<string> {
  const id = await page.locator('.row:focus').getAttribute('data-id');
  await press(page, 'Enter');
  await page.waitForURL(`**/${id}*`);
  await page.locator('#detail h1:focus').waitFor();
  await loaded(page);
  return id as string;
}

const said = (page: Page, text: string) => page.locator('#status', { hasText: text }).waitFor();

const SECTIONS = [
  'threads',
  'contacts',
  'organizations',
  'deals',
  'tasks',
  'files',
  'calendar_events',
  'conversations',
  'proposals',
];

/** In all widths and both color schemes. */
async function checkLooks(page: Page, place: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await excessWidth(page), `${place} at ${width} px`).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violations(page), `${place} at ${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

describe('at 390, 768 and 1280 px, in light and dark, axe finds nothing and nothing scrolls sideways', () => {
  const first = async (path: string): Promise<string> => {
    const response = await fetch(`${demo.stack.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    const { collection } = (await response.json()) as { collection: { records: { id: string }[] } };
    return (collection.records[0] as { id: string }).id;
  };

  it('in the sign-in', async () => checkLooks(await app.open(), 'sign-in'));

  it('in the front page and the lists', async () => {
    const page = await app.signIn(key);
    for (const section of ['', ...SECTIONS, 'notifications', 'search?query=winch']) {
      await goTo(page, `#/${section}`);
      await checkLooks(page, section);
    }
  }, 600_000);

  it('in the details', async () => {
    const page = await app.signIn(key);
    for (const section of SECTIONS) {
      await goTo(page, `#/${section}/${await first(`/${section}`)}`);
      await checkLooks(page, section);
    }
  }, 600_000);

  it('in the dialogs', async () => {
    const page = await app.signIn(key);
    await goTo(page, `#/threads/${await first('/threads')}`);
    await press(page, '?');
    await page.locator('dialog .keys').waitFor();
    await checkLooks(page, 'keys');
    await press(page, 'Escape');
    await press(page, 'z');
    await page.locator('dialog', { hasText: 'Tomorrow morning' }).waitFor();
    await checkLooks(page, 'snooze');
  });
});

describe('by keyboard alone', () => {
  const threadOf = async (id: string) => (await api.retrieveThread({ params: { id } })).body.thread;

  it('the front page shows what the dashboard counts, and leads to the lists', async () => {
    const page = await app.signIn(key);
    await page.locator('.tile').first().waitFor();
    const { dashboard } = (await api.showDashboard()).body;
    const tile = page.locator('.tile', { hasText: 'flagged' });
    expect(await tile.textContent()).toBe(`${dashboard.threads.flagged.total} flagged`);
    await tile.press('Enter');
    await page.waitForURL('**/app#/threads?slice=flagged');
    await page.locator('.row').first().waitFor();
    expect(await page.locator('.row').count()).toBe(dashboard.threads.flagged.total);
    expect(await page.locator('h1:focus').textContent()).toBe('Threads');
  });

  it('a thread is opened, which marks it as read, flagged, resolved, marked as unread and snoozed', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'i', 'threads');
    await press(page, 'j', 'j', 'k');
    const id = await openRow(page);
    await expect.poll(async () => (await threadOf(id)).read).toBe(true);
    const before = await threadOf(id);
    await press(page, 's');
    await said(page, before.flagged ? 'Not flagged any more.' : 'Flagged.');
    expect((await threadOf(id)).flagged).toBe(!before.flagged);
    await press(page, 'e');
    await said(page, before.resolved ? 'Opened again.' : 'Resolved.');
    expect((await threadOf(id)).resolved).toBe(!before.resolved);
    await page
      .locator('button[aria-pressed]', { hasText: 'Resolved' })
      .and(page.locator(`[aria-pressed="${!before.resolved}"]`))
      .waitFor();
    await press(page, 'm');
    await said(page, 'Marked as unread.');
    expect((await threadOf(id)).read).toBe(false);
    if (!before.snooze_until) {
      await press(page, 'z');
      await page.locator('dialog button:focus').waitFor();
      await press(page, 'Tab', 'Enter');
      await said(page, 'Snoozed until');
      expect((await threadOf(id)).snooze_until).not.toBeNull();
      await press(page, 'z');
      await said(page, 'Not snoozed any more.');
    }
    await press(page, 'u');
    await page.locator(`.row[data-id="${id}"]:focus`).waitFor();
  });

  it('mail is shown in a frame without scripts, as it was written', async () => {
    const { records } = (await api.listThreads({ query: { subject: 'Torque Letter' } })).body.collection;
    const page = await app.signIn(key, `#/threads/${records[0]?.id}`);
    const frame = page.locator('iframe.mail').first();
    await frame.waitFor();
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-scripts');
    const title = page.frameLocator('iframe.mail').first().locator('h1');
    expect(await title.textContent()).toBe('The Torque Letter');
    await expect.poll(() => frame.evaluate((element) => element.clientHeight)).toBeGreaterThan(300);
  });

  it('a comment is written, which tells the colleague whom it names', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'i', 'threads');
    const id = await openRow(page);
    await press(page, 'c');
    await page.keyboard.type('@Grace Hopper has <b>the keys</b>.');
    await press(page, 'Control+Enter');
    await said(page, 'Comment added.');
    const comment = page.locator('.comment', { hasText: 'has <b>the keys</b>.' });
    await comment.waitFor();
    const { comments } = (await api.listComments({ params: { record_type: 'threads', record_id: id } })).body;
    expect(comments.at(-1)).toMatchObject({ plain_text: '@Grace Hopper has <b>the keys</b>.' });
    expect(comments.at(-1)?.mentions).toHaveLength(1);
  });

  it('a reply is kept as a draft', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'i', 'threads');
    const id = await openRow(page);
    await press(page, 'r');
    await page.keyboard.type('We bring the winch.');
    await press(page, 'Control+Enter');
    await said(page, 'Saved as a draft.');
    const { drafts } = (await api.listDrafts({ query: { thread_id: id } })).body;
    expect(
      drafts.some(({ body, status }) => body?.startsWith('We bring the winch.') && status === 'draft'),
    ).toBe(true);
    await page.locator('#detail', { hasText: 'We bring the winch.' }).waitFor();
  });

  it('slices and searches of threads are in the address', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'i', 'threads');
    await press(page, '/');
    await page.keyboard.type('harbour');
    await press(page, 'Enter');
    await page.waitForURL('**/app#/threads?query=harbour');
    await page.locator('.row', { hasText: 'Harbour day' }).waitFor();
    await page.locator('#slice').focus();
    await page.keyboard.type('Flag');
    await page.waitForURL('**/app#/threads?query=harbour&slice=flagged');
  });

  it('a task is completed and opened again', async () => {
    const page = await app.signIn(key);
    await openSection(page, 't', 'tasks');
    const id = await openRow(page);
    const status = async () => (await api.retrieveTask({ params: { id } })).body.task.status;
    await press(page, 'e');
    await said(page, 'Completed.');
    expect(await status()).toBe('completed');
    await page.locator('button', { hasText: 'Open again' }).waitFor();
    await press(page, 'e');
    await said(page, 'Open again.');
    expect(await status()).toBe('open');
  });

  it('a contact is pinned and commented on', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'c', 'contacts');
    const id = await openRow(page);
    const pinned = async () => (await api.retrieveContact({ params: { id } })).body.contact.pinned;
    const before = await pinned();
    await press(page, 's');
    await said(page, before ? 'Not pinned any more.' : 'Pinned.');
    expect(await pinned()).toBe(!before);
    await press(page, 'c');
    await page.keyboard.type('Met at the pier.');
    await press(page, 'Control+Enter');
    await page.locator('.comment', { hasText: 'Met at the pier.' }).waitFor();
  });

  it('an invitation is answered', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'e', 'calendar_events');
    const id = await openRow(page);
    await press(page, 'b');
    await said(page, 'Answered: maybe.');
    expect((await api.retrieveCalendarEvent({ params: { id } })).body.calendar_event.response_status).toBe(
      'tentative',
    );
  });

  it('a proposal is accepted and another one rejected', async () => {
    const page = await app.signIn(key);
    const status = async (id: string) =>
      (await api.retrieveProposal({ params: { id } })).body.proposal.status;
    for (const [pressed, words, expected] of [
      ['a', 'Accepted.', 'applied'],
      ['x', 'Rejected.', 'rejected'],
    ] as const) {
      await openSection(page, 'p', 'proposals');
      const id = await openRow(page);
      await press(page, pressed);
      await said(page, words);
      expect(await status(id)).toBe(expected);
    }
  });

  it('a notification leads to its record, and is read then', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'n', 'notifications');
    await press(page, 'm');
    await said(page, 'Marked as');
    const before = (await api.countNotifications({ query: { status: 'unread' } })).body.count.total;
    await page.locator('.row.unread').first().focus();
    await press(page, 'Enter');
    await page.locator('#detail h1:focus').waitFor();
    await expect
      .poll(async () => (await api.countNotifications({ query: { status: 'unread' } })).body.count.total)
      .toBe(before - 1);
  });

  it('the assistant is asked in a new conversation, and its answer appears', async () => {
    const page = await app.signIn(key);
    await press(page, 'g', 'a');
    await page.waitForURL('**/app#/conversations');
    await page.locator('.row').first().waitFor();
    await press(page, 'n');
    await page.locator('#detail h1:focus').waitFor();
    await press(page, 'r');
    await page.keyboard.type('Who is Priya Raghunathan?');
    await press(page, 'Control+Enter');
    await page.locator('.said.assistant', { hasText: 'Head of Fleet Operations' }).waitFor();
    expect(
      await page.locator('.said.assistant a', { hasText: 'Priya Raghunathan' }).getAttribute('href'),
    ).toMatch(/^#\/contacts\//);
  });

  it('the search finds records of all types, with marked words', async () => {
    const page = await app.signIn(key);
    await press(page, 'g', 's');
    await page.waitForURL('**/app#/search');
    await press(page, '/');
    await page.keyboard.type('winch');
    await press(page, 'Enter');
    await page
      .locator('.row mark', { hasText: /^winch$/i })
      .first()
      .waitFor();
  });

  it('a file is downloaded by a link of the service', async () => {
    const page = await app.signIn(key);
    await openSection(page, 'f', 'files');
    await openRow(page);
    const downloading = page.waitForEvent('download');
    await press(page, 's');
    expect((await downloading).suggestedFilename()).not.toBe('');
    // The bytes come from the storage, which is another address.
    for (const request of app.foreign)
      if (request.url().startsWith(demo.stack.variables.S3_ENDPOINT as string)) app.foreign.delete(request);
  });

  it('keys are shown by ?, and can be turned off', async () => {
    const page = await app.signIn(key);
    await press(page, '?');
    await page.locator('dialog', { hasText: 'go to threads' }).waitFor();
    await page.locator('dialog input[type="checkbox"]').press('Space');
    await press(page, 'Escape');
    await press(page, 'g', 'i');
    await page.waitForTimeout(300);
    expect(page.url()).not.toContain('threads');
    await press(page, '?');
    await page.locator('dialog input[type="checkbox"]').press('Space');
    await press(page, 'Escape', 'g', 'i');
    await page.waitForURL('**/app#/threads');
  });
});

describe('changes by others', () => {
  it('appear when the page is looked at again, and leave what is being written', async () => {
    const { records } = (await api.listThreads({ query: { limit: 1 } })).body.collection;
    const id = records[0]?.id as string;
    const page = await app.signIn(key, `#/threads/${id}`);
    await page.locator('#detail textarea').first().fill('Half a thought');
    const comment = { html_content: '<p>From elsewhere.</p>' };
    await api.createComment({ params: { record_type: 'threads', record_id: id }, body: { comment } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator('.comment', { hasText: 'From elsewhere.' }).waitFor();
    expect(await page.locator('#detail textarea').first().inputValue()).toBe('Half a thought');
  });
});
