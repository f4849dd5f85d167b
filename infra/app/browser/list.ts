import { attempt } from './act.ts';
import { button, h, part } from './dom.ts';
import { say } from './messages.ts';
import type { Key, Pane } from './pane.ts';
import { type Place, placeOf } from './place.ts';
import { type Page, type Row, Rows, rowElement } from './rows.ts';

/** A list: a choice of slices, a search, rows to go through with j and k, and more of them on demand. */

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

/** What is shown of the rows. `mark` tells which one is open beside them. */
function rowsPart({ load, empty = 'Nothing here.' }: ListOptions) {
  const rows = new Rows();
  let open: string | undefined;
  const more = async () => {
    const before = rows.all.length;
    const page = await attempt(() => load(rows.next ?? {}));
    if (!page) return;
    rows.add(page);
    show();
    say(`${page.rows.length} more.`);
    list.element.querySelectorAll<HTMLElement>('.row')[before]?.focus();
  };
  const list = part<{ all: Row[]; more: boolean }>(({ all, more: goesOn }) => [
    all.length === 0 && h('p', { class: 'quiet' }, empty),
    // The data has no functions: the rows themselves do.
    all.length > 0 && h('ul', { class: 'rows' }, ...rows.all.map(rowElement)),
    goesOn && h('p', {}, button('Show more', more, { 'data-focus': 'more' })),
  ]);
  list.element.append(h('p', { class: 'quiet' }, 'Loading ...'));
  const mark = (id: string | undefined) => {
    open = id;
    for (const row of list.element.querySelectorAll('.row'))
      if (row.getAttribute('data-id') === id) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
  };
  const show = () => {
    list.show({ all: rows.all, more: rows.next !== undefined });
    mark(open);
  };
  const refresh = async () => {
    const page = await attempt(() => load({}));
    if (!page) return;
    rows.replaceFirst(page);
    show();
  };
  const focused = () => document.activeElement?.getAttribute('data-id') ?? open;
  return { element: list.element, mark, refresh, focused };
}

export function listPane(options: ListOptions): Pane & { mark(id: string | undefined): void } {
  const { title, rowKeys, search, tools = [] } = options;
  const { element: rows, mark, refresh, focused } = rowsPart(options);
  const element = h(
    'div',
    { class: 'list' },
    h('h1', { tabindex: '-1' }, title),
    h('div', { class: 'tools' }, slicePicker(options), searchForm(options), ...tools),
    rows,
  );
  const focusSearch = () => element.querySelector<HTMLElement>('#words')?.focus();
  return {
    element,
    title,
    mark,
    refresh,
    get keys() {
      const id = focused();
      return {
        j: { label: 'next row', press: () => move(element, 1) },
        k: { label: 'previous row', press: () => move(element, -1) },
        ...(search ? { '/': { label: 'search', press: focusSearch } } : {}),
        ...(id && rowKeys ? rowKeys(id) : {}),
      };
    },
  };
}
