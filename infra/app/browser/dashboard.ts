import { attempt } from './act.ts';
import { type Body, call } from './api.ts';
import { blockElements } from './blocks.ts';
import { type Child, h, part } from './dom.ts';
import { type Count, counted, date, money, span, title, words } from './format.ts';
import { getSession, type Pane } from './pane.ts';
import { placeOf, placeOfRecord } from './place.ts';

/** The front page: what waits for the user. */

type Dashboard = Body<'showDashboard'>['dashboard'];
type Briefing = Body<'listDailyBriefings'>['daily_briefings'][number];

interface Front {
  dashboard: Dashboard;
  briefing: Briefing | undefined;
}

const tile = (label: string, value: string | number, section: string, slice?: string) =>
  h(
    'li',
    {},
    h(
      'a',
      { class: 'tile', href: placeOf({ section, query: slice ? { slice } : {} }) },
      h('strong', {}, value),
      ' ',
      label,
    ),
  );

const group = (name: string, tiles: HTMLElement[]) =>
  h('section', { 'aria-label': name }, h('h2', {}, name), h('ul', { class: 'tiles' }, ...tiles));

const counts = (section: string, all: Record<string, Count>) =>
  Object.entries(all).map(([slice, count]) =>
    tile(slice === 'awaiting' ? 'awaiting a reply' : words(slice), counted(count), section, slice),
  );

function events({ calendar_events }: Dashboard): HTMLElement {
  const entries = calendar_events.map((event) =>
    h(
      'li',
      {},
      h('a', { href: placeOfRecord('calendar_event', event.id) }, event.name ?? 'Busy'),
      ` ${span(event)}`,
    ),
  );
  const list =
    entries.length > 0 ? h('ul', {}, ...entries) : h('p', { class: 'quiet' }, 'No more events today.');
  return h('section', { 'aria-label': 'Rest of today' }, h('h2', {}, 'Rest of today'), list);
}

function deals({ deals }: Dashboard): Child {
  if (deals.length === 0) return undefined;
  const head = ['Pipeline', 'Open', 'Amount', 'Weighted', 'Won in 30 days'].map((name) =>
    h('th', { scope: 'col' }, name),
  );
  const rows = deals.map(({ name, currency, open_count, open_amount, weighted_amount, won_amount_30d }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      h('td', {}, open_count),
      ...[open_amount, weighted_amount, won_amount_30d].map((amount) => h('td', {}, money(amount, currency))),
    ),
  );
  const table = h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows));
  return h(
    'section',
    { 'aria-label': 'Deals' },
    h('h2', {}, 'Deals'),
    h(
      'div',
      { class: 'table', tabindex: '0', role: 'region', 'aria-label': 'Deals of each pipeline' },
      table,
    ),
  );
}

const briefingOf = (briefing: Briefing | undefined): Child =>
  briefing?.status === 'complete' &&
  h(
    'section',
    { 'aria-label': 'Briefing' },
    h('h2', {}, `Briefing of ${date(briefing.date)}`),
    ...blockElements(briefing, () => {}),
  );

const mailboxes = ({ mailboxes }: Dashboard): Child =>
  mailboxes.length > 0 &&
  h(
    'section',
    { 'aria-label': 'Mailboxes' },
    h('h2', {}, 'Mailboxes'),
    h(
      'ul',
      {},
      ...mailboxes.map(({ email_address, status }) =>
        h('li', {}, `${email_address} `, h('span', { class: 'mark' }, title(status))),
      ),
    ),
  );

function content({ dashboard, briefing }: Front): Child[] {
  const { threads, tasks, notifications, proposals } = dashboard;
  return [
    group('Threads', counts('threads', threads)),
    group('Tasks', counts('tasks', tasks)),
    group('For you', [
      tile('unread notifications', notifications.unread_count, 'notifications', 'unread'),
      tile('pending proposals', proposals.pending_count, 'proposals'),
    ]),
    events(dashboard),
    deals(dashboard),
    briefingOf(briefing),
    mailboxes(dashboard),
  ];
}

export function dashboardPane(): Pane {
  const { name, first_name } = getSession().user;
  const body = part<Front>(content, { class: 'dashboard' });
  return {
    element: h('div', {}, h('h1', { tabindex: '-1' }, `Hello, ${first_name ?? name}`), body.element),
    title: 'Dashboard',
    refresh: async () => {
      const front = await attempt(async () => {
        const [{ dashboard }, { daily_briefings }] = await Promise.all([
          call<'showDashboard'>('GET', '/dashboard'),
          call<'listDailyBriefings'>('GET', '/daily_briefings'),
        ]);
        // Its moment changes each time, and is not shown.
        return { dashboard: { ...dashboard, generated_at: '' }, briefing: daily_briefings[0] };
      });
      if (front) body.show(front);
    },
  };
}
