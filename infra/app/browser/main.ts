import { attempt, onExpired } from './act.ts';
import { call } from './api.ts';
import { button, byId, h } from './dom.ts';
import { useTimeZone } from './format.ts';
import { forgetKey, keepKey, readKey } from './key.ts';
import { startLive, stopLive } from './live.ts';
import { say, showProblem } from './messages.ts';
import type { Key, Pane, Section } from './pane.ts';
import { setSession } from './pane.ts';
import { type Place, placeOf, readPlace } from './place.ts';
import { sectionsWith } from './sections.ts';
import { listenToKeys, showHelp } from './shortcuts.ts';
import { signInForm } from './sign-in.ts';

/** The page at /app: signs in, and shows the place that its address names. */

const SERVICE = document.title;

interface ListShown extends Pane {
  mark?(id: string | undefined): void;
}

let list: ListShown | undefined;
let detail: Pane | undefined;
/** What they show. */
let listPlace: string | undefined;
let detailPlace: string | undefined;
let signedIn = false;

const refresh = async () => {
  await Promise.all([list?.refresh(), detail?.refresh()]);
  retitle();
};
const sections = sectionsWith(() => list?.refresh());

function retitle(): void {
  const title = detail?.title ?? list?.title;
  document.title = title ? `${title} - ${SERVICE}` : SERVICE;
}

const focusHeading = (root: HTMLElement) => root.querySelector<HTMLElement>('h1')?.focus();

function showNavigation(current: string): void {
  for (const link of document.querySelectorAll('header nav a'))
    if (link.getAttribute('href') === `#/${current}`) {
      link.setAttribute('aria-current', 'page');
      // On a phone they are a row that scrolls.
      link.scrollIntoView({ block: 'nearest', inline: 'center' });
    } else link.removeAttribute('aria-current');
}

async function openList(section: Section, place: Place): Promise<boolean> {
  const key = placeOf({ section: place.section, query: place.query });
  if (key === listPlace) return false;
  listPlace = key;
  list?.close?.();
  const opened = section.list(place);
  list = opened;
  byId('list').replaceChildren(opened.element);
  await opened.refresh();
  return true;
}

async function openDetail(section: Section, { id, section: name }: Place): Promise<void> {
  const key = id && section.detail ? `${name}/${id}` : undefined;
  const root = byId('detail');
  document.body.classList.toggle('reading', key !== undefined);
  list?.mark?.(id);
  if (key === detailPlace) return;
  const left = detailPlace?.split('/')[1];
  detailPlace = key;
  detail?.close?.();
  detail = id && section.detail ? section.detail(id) : undefined;
  const back = h('p', { class: 'back' }, button('Back to the list', goBack, { title: 'Key u' }));
  root.replaceChildren(...(detail ? [back, detail.element] : []));
  if (detail) {
    focusHeading(root);
    await detail.refresh();
  } else if (left)
    byId('list')
      .querySelector<HTMLElement>(`[data-id="${CSS.escape(left)}"]`)
      ?.focus();
}

async function show(): Promise<void> {
  if (!signedIn) return;
  const place = readPlace(location.hash);
  const section = Object.hasOwn(sections, place.section) ? sections[place.section] : undefined;
  if (!section) {
    location.hash = '#/';
    return;
  }
  showProblem('');
  showNavigation(place.section);
  document.body.classList.toggle('whole', !section.detail);
  const fresh = openList(section, place);
  if (listPlace && !place.id) focusHeading(byId('list'));
  await Promise.all([fresh, openDetail(section, place)]);
  retitle();
}

function goBack(): void {
  const { section, query } = readPlace(location.hash);
  location.hash = placeOf({ section, query });
}

const go =
  (section: string): Key['press'] =>
  () => {
    location.hash = `#/${section}`;
  };

const pageKeys = (): Record<string, Key> => ({
  ...(detail ? { u: { label: 'back to the list', press: goBack } } : {}),
  ...Object.fromEntries(
    Object.entries(sections).map(([name, { title, letter }]) => [
      `g ${letter}`,
      { label: `go to ${title.toLowerCase()}`, press: go(name) },
    ]),
  ),
  '/': { label: 'search', press: go('search') },
  '?': { label: 'show the keys', press: () => showHelp(knownKeys) },
});

/** Those of the detail win over those of the list, whose rows are behind it. */
const knownKeys = (): Record<string, Key>[] =>
  signedIn ? [detail?.keys ?? {}, list?.keys ?? {}, pageKeys()] : [];

function leave(reason?: string): void {
  signedIn = false;
  forgetKey();
  setSession(undefined);
  stopLive();
  list?.close?.();
  detail?.close?.();
  list = detail = listPlace = detailPlace = undefined;
  document.body.classList.remove('signed-in', 'reading');
  document.title = SERVICE;
  showProblem('');
  byId('detail').replaceChildren();
  byId('list').replaceChildren(signInForm(enter, reason));
  byId('key').focus();
}

async function enter(key: string): Promise<void> {
  keepKey(key);
  const found = await attempt(async () => {
    const [{ user }, { collection }] = await Promise.all([
      call<'retrieveCurrentUser'>('GET', '/users/me'),
      call<'listUsers'>('GET', '/users'),
    ]);
    return { user, colleagues: collection.records };
  });
  if (!found) return;
  setSession(found);
  useTimeZone(found.user.time_zone);
  byId('who').textContent = found.user.name;
  signedIn = true;
  document.body.classList.add('signed-in');
  say(`Signed in as ${found.user.name}.`);
  startLive(() => void refresh());
  await show();
}

// Responses to requests of a key that is forgotten already change nothing.
onExpired((reason) => readKey() !== null && leave(reason));
listenToKeys(knownKeys);
addEventListener('hashchange', () => void show());
addEventListener('unhandledrejection', () => showProblem('Something went wrong in this page.'));
addEventListener('online', () => void (signedIn && refresh()));
document.addEventListener('visibilitychange', () => void (!document.hidden && signedIn && refresh()));
byId('sign-out').addEventListener('click', () => {
  leave();
  say('Signed out. The key is forgotten.');
});
byId('keys').addEventListener('click', () => showHelp(knownKeys));

const kept = readKey();
if (kept) void enter(kept);
else leave();
