import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import type { Workspace } from '../support/workspace.ts';
import { xssVectors } from '../support/xss-vectors.ts';
import { type AppBrowser, goTo, loaded } from './app-page.ts';
import { type AppWorkspace, startAppWorkspace } from './app-workspace.ts';

/** What strangers write executes nothing at /app, and shows as what it is. */

let started: AppWorkspace;
let workspace: Workspace;
let app: AppBrowser;

beforeAll(async () => {
  started = await startAppWorkspace({ files: true });
  ({ workspace, app } = started);
});
afterEach(() => app.endTest());
afterAll(() => started?.stop());

const NAME = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';

describe('names, subjects and comments', () => {
  it('are text wherever they are shown', async () => {
    const { ada } = workspace;
    const { api } = ada;
    const mailbox = await givenMailbox(workspace, ada);
    const from = `"${NAME.replaceAll('"', '\\"')}" <priya@ferries.example>`;
    await importMail(workspace, ada, mailbox, [
      eml({ id: 'hostile@ferries.example', from, subject: NAME, text: NAME, date: new Date().toUTCString() }),
    ]);
    const thread = (await api.listThreads()).body.collection.records[0]!;
    await api.createComment({
      params: { record_type: 'threads', record_id: thread.id },
      body: { comment: { html_content: '<p>&lt;img src=x onerror=alert(3)&gt;</p>' } },
    });
    await api.applyTag({
      params: { record_type: 'threads', record_id: thread.id },
      body: { tag: { name: NAME.slice(0, 40) } },
    });
    const links = [{ url: 'https://x.example/"><img src=x onerror=alert(4)>' }];
    const contact = (
      await api.createContact({ body: { contact: { name: NAME, description: NAME, headline: NAME, links } } })
    ).body.contact;
    const organization = (await api.createOrganization({ body: { organization: { name: NAME } } })).body
      .organization;
    const task = (await api.createTask({ body: { task: { name: NAME, contact_ids: [contact.id] } } })).body
      .task;
    const deal = (
      await api.createDeal({
        body: { deal: { name: NAME, contact_ids: [contact.id], organization_id: organization.id } },
      })
    ).body.deal;
    const page = await app.signIn(ada.write_key);
    const places = {
      threads: thread.id,
      contacts: contact.id,
      organizations: organization.id,
      tasks: task.id,
      deals: deal.id,
    };
    for (const [section, id] of Object.entries(places)) {
      await goTo(page, `#/${section}/${id}`);
      await page.locator('#detail h1', { hasText: NAME }).waitFor();
      await page.locator('.row', { hasText: NAME }).first().waitFor();
      expect(await page.locator('#panes :is(img, script, svg, object, embed)').count(), section).toBe(0);
    }
    await goTo(page, '#/search?query=alert');
    await page.locator('.row', { hasText: 'onerror' }).first().waitFor();
    expect(await page.locator('#panes img').count()).toBe(0);
  });
});

describe('the description of a task', () => {
  it('is shown as it was written, in a frame without scripts', async () => {
    const { api, write_key } = workspace.ada;
    const description = '<p>Before <strong>noon</strong></p><img src="x" onerror="alert(1)">';
    const { id } = (await api.createTask({ body: { task: { name: 'Call', description } } })).body.task;
    const page = await app.signIn(write_key, `#/tasks/${id}`);
    const frame = page.frameLocator('#detail iframe[title="Description"]');
    await frame.locator('strong', { hasText: 'noon' }).waitFor();
    expect(await frame.locator('body').textContent()).toBe('Before noon');
    expect(await page.locator('#detail', { hasText: '<p>' }).count()).toBe(0);
  });
});

/** A thread whose mail the API would not have sanitized. */
function hostileThread(vectors: string[]) {
  const [subject] = vectors;
  const message = (html: string, i: number) => ({
    id: `m${i}`,
    sent_at: '2026-11-02T10:00:00Z',
    from_email_address: html,
    to_email_addresses: [html],
    cc_email_addresses: [],
    participant_email_addresses: [],
    snippet: html,
    summary: null,
    attachments: [
      {
        id: 'a',
        file_id: null,
        file: { id: 'f', name: html, file_name: html, extension: null, description: null },
        content_type: html,
        size: 1,
        inline: false,
        content_id: null,
        decorative: false,
      },
    ],
    delivery: null,
    body: {
      source_format: 'html',
      sanitized_html: html,
      new_plain_text: null,
      new_html: html,
      quoted_plain_text: null,
      quoted_html: html,
      has_quote_header: true,
      truncated: false,
    },
  });
  const comment = (text: string, i: number) => ({
    id: `c${i}`,
    html_content: text,
    plain_text: text,
    user_id: null,
    agent: null,
    status: 'complete',
    parent_comment_id: null,
    blocks: [],
    refs: [],
    mentions: [],
    reactions: [{ id: 'r', text, user_id: null }],
    created_at: null,
  });
  const thread = {
    id: 't',
    subject,
    snippet: subject,
    headline: null,
    summary: subject,
    message_count: vectors.length,
    has_attachments: true,
    read: true,
    flagged: false,
    resolved: false,
    snooze_until: null,
    mailbox_ids: [],
    inbox_sort_time: null,
    first_sent_at: null,
    last_sent_at: null,
    last_message: { id: 'm', sent_at: '', from_email_address: subject, from_name: subject },
    participant_count: 1,
    participant_names: { x: subject },
    participants: {},
    participant_list: [
      { email_address: subject, name: subject, contact: { id: 'javascript:alert(1)', name: subject } },
    ],
    messages: vectors.map(message),
    tasks: [{ id: '"><img src=x onerror=alert(1)>', name: subject }],
    comments: vectors.map(comment),
    tags: [{ id: 'g', name: subject, color: 'red;background:url(//x.example)' }],
    shares: [],
    pending_messages: [],
  };
  return thread;
}

async function openAll(page: Page): Promise<void> {
  await page.evaluate("for (const each of document.querySelectorAll('#detail details')) each.open = true");
  await page.waitForTimeout(200);
  await page.evaluate(
    "for (const each of document.querySelectorAll('#detail details details')) each.open = true",
  );
  await page.waitForTimeout(1_500);
}

/** What a reader could set off in a frame, where none of its scripts runs: links and events. */
const links = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('iframe')].flatMap((frame) =>
    [...(frame.contentDocument?.querySelectorAll('*') ?? [])].flatMap((element) => {
      for (const name of ['mouseover', 'focus', 'click', 'toggle', 'error', 'load', 'animationstart'])
        element.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
      return [];
    }))`);

describe('HTML that were not sanitized', () => {
  it.each([0, 1, 2, 3])(
    'executes nothing in the frames of mail, nor anywhere else (part %i of 4)',
    async (part) => {
      const some = xssVectors.filter((_, i) => i % 4 === part);
      const page = await app.signIn(workspace.ada.write_key);
      for (let i = 0; i < some.length; i += 60) {
        const thread = hostileThread(some.slice(i, i + 60));
        await page.route('**/threads/t?*', (route: Route) => route.fulfill({ json: { thread } }));
        await page.route('**/drafts?*', (route: Route) => route.fulfill({ json: { drafts: [] } }));
        await goTo(page, '#/');
        await goTo(page, '#/threads/t');
        await openAll(page);
        await links(page);
        expect(await page.locator('#detail iframe.mail').count()).toBeGreaterThan(thread.messages.length);
        expect(
          await page
            .locator('#panes :is(img, script, svg, object, embed, form[action], base, meta, link, style)')
            .count(),
        ).toBe(0);
        expect(await page.locator('#panes a[href^="javascript:"]').count()).toBe(0);
        await page.unroute('**/threads/t?*');
        await loaded(page);
      }
      // Chromium says what the frame and the policy refused: here that is what should happen.
      app.problems = [];
    },
  );
});
