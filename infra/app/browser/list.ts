import { attempt } from './act.ts';
import { button, type Child, h, part } from './dom.ts';
import { say } from './messages.ts';
import type { Key, Pane } from './pane.ts';
import { type Place, placeOf } from './place.ts';

/** A list: a choice of slices, a search, rows to go through with j and k, and more of them on demand. */

export interface Row {
  id: string;
  /** Where it leads; undefined for what the page does not show. */
  href: string | undefined;
  /** Who or what, above the title. */
  from?: string;
  /** When, on the right. */
  when?: string;
  title: string;
  /** One line below the title. */
  below?: Child[];
  marks?: string[];
  /** Shown bold, and said. */
  unread?: boolean;
  onopen?: () => void;
}

interface Page {
  rows: Row[];
  /** The parameters of the next page; undefined after the last. */
  next: Record<string, string> | undefined;
}

export interface ListOptions {
  title: string;
  place: Place;
  /** Labels by the value of `slice`; the first is the default. */
  slices?: Record<string, string>;
  /** What the words are sent as. */
  search?: string;
  /** Elements above the rows. */
  tools?: HTMLElement[];
  load(more: Record<string, string>): Promise<Page>;
  /** What is said of an empty list. */
  empty?: string;
  /** Of the row that has the focus. */
  rowKeys?: (id: string) => Record<string, Key>;
}

type Collection =
  | { page_info: { next_cursor: string | null; has_more_after: boolean } }
  | { page: number; pages: number };

/** How a list goes on: by a cursor or by the number of the page. */
export function nextOf(collection: Collection): Page['next'] {
  if ('page_info' in collection) {
    const { next_cursor, has_more_after } = collection.page_info;
    return next_cursor && has_more_after ? { next_cursor } : undefined;
  }
  return collection.page < collection.pages ? { page: String(collection.page + 1) } : undefined;
}

function rowElement({
  id,
  href,
  from,
  when,
  title,
  below = [],
  marks = [],
  unread,
  onopen,
}: Row): HTMLElement {
  const content = [
    h(
      'span',
      { class: 'top' },
      h('span', { class: 'from' }, unread && h('span', { class: 'hidden' }, 'Unread: '), from ?? title),
      when && h('span', { class: 'when' }, when),
    ),
    from !== undefined && h('span', { class: 'title' }, title),
    below.length > 0 && h('span', { class: 'below' }, ...below),
    marks.length > 0 &&
      h('span', { class: 'marks' }, ...marks.map((mark) => h('span', { class: 'mark' }, mark))),
  ];
  const name = { class: unread ? 'row unread' : 'row', 'data-id': id, 'data-focus': id };
  const row = href
    ? h('a', { ...name, href, onclick: () => onopen?.() }, ...content)
    : h('div', { ...name, tabindex: '0' }, ...content);
  return h('li', {}, row);
}

function slicePicker({ slices, place }: ListOptions): HTMLElement | undefined {
  if (!slices) return undefined;
  const chosen = place.query.slice ?? Object.keys(slices)[0];
  const picker = h(
    'select',
    {
      id: 'slice',
      'aria-label': 'Which ones',
      onchange: () => {
        location.hash = placeOf({ section: place.section, query: { ...place.query, slice: picker.value } });
      },
    },
    ...Object.entries(slices).map(([value, label]) =>
      h('option', { value, selected: value === chosen }, label),
    ),
  );
  return picker;
}

function searchForm({ search, title, place }: ListOptions): HTMLElement | undefined {
  if (!search) return undefined;
  const input = h('input', {
    id: 'words',
    type: 'search',
    maxlength: 500,
    'aria-label': `Search ${title.toLowerCase()}`,
    placeholder: 'Search',
    autocomplete: 'off',
  });
  input.value = place.query[search] ?? '';
  return h(
    'form',
    {
      role: 'search',
      onsubmit: (event: Event) => {
        event.preventDefault();
        const query = { ...place.query, [search]: input.value.trim() };
        const target = placeOf({ section: place.section, query });
        if (target === location.hash) input.blur();
        else location.hash = target;
      },
    },
    input,
  );
}

/** j and k: the focus goes to the next or the previous row. */
function move(element: HTMLElement, step: 1 | -1): void {
  const rows = [...element.querySelectorAll<HTMLElement>('.row')];
  const current = rows.indexOf(document.activeElement as HTMLElement);
  const open = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const from = current >= 0 ? current : open;
  const to = from < 0 ? 0 : from + step;
  rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
}

/** The rows of the first page are new, those of later pages stay. */
function merged(shown: Row[], first: Row[], firstLength: number): Row[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...shown.slice(firstLength).filter(({ id }) => !ids.has(id))];
}

export function listPane(options: ListOptions): Pane & { mark(id: string | undefined): void } {
  const { title, load, empty = 'Nothing here.', rowKeys } = options;
  let rows: Row[] = [];
  let first = 0;
  let next: Page['next'];
  let selected: string | undefined;
  const show = () => {
    list.show({ rows, more: next !== undefined });
    mark(selected);
  };
  const more = async () => {
    const before = rows.length;
    const page = await attempt(() => load(next ?? {}));
    if (!page) return;
    rows = [...rows, ...page.rows];
    next = page.next;
    show();
    say(`${page.rows.length} more.`);
    list.element.querySelectorAll<HTMLElement>('.row')[before]?.focus();
  };
  const list = part<{ rows: Row[]; more: boolean }>((data) => [
    data.rows.length === 0 && h('p', { class: 'quiet' }, empty),
    data.rows.length > 0 && h('ul', { class: 'rows' }, ...rows.map(rowElement)),
    data.more && h('p', {}, button('Show more', more, { 'data-focus': 'more' })),
  ]);
  const mark = (id: string | undefined) => {
    selected = id;
    for (const row of list.element.querySelectorAll('.row'))
      if (row.getAttribute('data-id') === id) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
  };
  const element = h(
    'div',
    { class: 'list' },
    h('h1', { tabindex: '-1' }, title),
    h('div', { class: 'tools' }, slicePicker(options), searchForm(options), ...(options.tools ?? [])),
    list.element,
  );
  list.element.append(h('p', { class: 'quiet' }, 'Loading ...'));
  const focused = () => document.activeElement?.getAttribute('data-id') ?? selected;
  return {
    element,
    title,
    mark,
    refresh: async () => {
      const page = await attempt(() => load({}));
      if (!page) return;
      const whole = rows.length <= first;
      rows = merged(rows, page.rows, first);
      first = page.rows.length;
      if (whole) next = page.next;
      show();
    },
    get keys() {
      const id = focused();
      return {
        j: { label: 'next row', press: () => move(element, 1) },
        k: { label: 'previous row', press: () => move(element, -1) },
        ...(options.search
          ? { '/': { label: 'search', press: () => element.querySelector<HTMLElement>('#words')?.focus() } }
          : {}),
        ...(id && rowKeys ? rowKeys(id) : {}),
      };
    },
  };
}
