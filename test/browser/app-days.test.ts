import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { askForBriefing, writeBriefings } from '../support/briefings.ts';
import { givenCalendar, givenEvent } from '../support/events.ts';
import type { Workspace } from '../support/workspace.ts';
import { type AppBrowser, goTo, loaded } from './app-page.ts';
import { type AppWorkspace, startAppWorkspace } from './app-workspace.ts';

/** Days at /app are those of the clocks that they were meant by, wherever the user is. */

let started: AppWorkspace;
let workspace: Workspace;
let app: AppBrowser;

beforeAll(async () => {
  started = await startAppWorkspace();
  ({ workspace, app } = started);
});
afterEach(() => app.endTest());
afterAll(() => started?.stop());

it('a task is due on the day of its assignee', async () => {
  const { ada, grace, linus } = workspace;
  for (const [name, { user }] of Object.entries({ Tokyo: linus, 'New York': grace }))
    await ada.api.createTask({
      body: { task: { name, due_at: '2026-12-24', all_day: true, assigned_user_id: user.id } },
    });
  const page = await app.signIn(ada.write_key, '#/tasks');
  await loaded(page);
  for (const name of ['Tokyo', 'New York']) {
    const row = page.locator('.row', { hasText: name });
    expect(await row.locator('.when').textContent()).toBe('24 Dec 2026');
    await row.click();
    await page.locator('#detail h1', { hasText: name }).waitFor();
    await page.locator('#detail dl', { hasText: 'Due24 Dec 2026' }).waitFor();
  }
});

it('an event of several days has its first and its last one', async () => {
  const { grace } = workspace;
  const { calendar_id } = await givenCalendar(workspace, grace);
  const days = { starts_at: undefined, ends_at: undefined, all_day: true };
  const span = { starts_on: '2026-12-23', ends_on: '2026-12-26' };
  const fair = await givenEvent(grace, calendar_id, { ...days, name: 'Fair', ...span });
  const page = await app.signIn(grace.write_key, `#/calendar_events/${fair.id}`);
  await page.locator('#detail dl', { hasText: 'When23 Dec 2026 to 25 Dec 2026' }).waitFor();
});

it('a briefing is of its date', async () => {
  const { grace } = workspace;
  await askForBriefing(grace);
  await writeBriefings(workspace);
  const [briefing] = (await grace.reader.listDailyBriefings()).body.daily_briefings;
  const page = await app.signIn(grace.write_key);
  await goTo(page, '#/');
  const shown = await page.locator('h2', { hasText: 'Briefing of' }).textContent();
  expect(shown).toMatch(new RegExp(`^Briefing of ${Number(briefing?.date.slice(8))} `));
});
