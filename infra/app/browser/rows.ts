import { type Child, h } from './dom.ts';

/** The rows of a list, and how a list goes on. */

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

export interface Page {
  rows: Row[];
  /** The parameters of the next page; undefined after the last. */
  next: Record<string, string> | undefined;
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

/** All rows that were read so far. */
export class Rows {
  all: Row[] = [];
  next: Page['next'];
  private first = 0;

  add({ rows, next }: Page): void {
    this.all = [...this.all, ...rows];
    this.next = next;
  }

  /** The rows of the first page are new, those of later pages stay. */
  replaceFirst({ rows, next }: Page): void {
    const whole = this.all.length <= this.first;
    const ids = new Set(rows.map(({ id }) => id));
    this.all = [...rows, ...this.all.slice(this.first).filter(({ id }) => !ids.has(id))];
    this.first = rows.length;
    if (whole) this.next = next;
  }
}

export function rowElement({
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
      h(
        'span',
        { class: 'from', dir: 'auto' },
        unread && h('span', { class: 'hidden' }, 'Unread: '),
        from ?? title,
      ),
      when && h('span', { class: 'when' }, when),
    ),
    from !== undefined && h('span', { class: 'title', dir: 'auto' }, title),
    below.length > 0 && h('span', { class: 'below', dir: 'auto' }, ...below),
    marks.length > 0 &&
      h('span', { class: 'marks' }, ...marks.map((mark) => h('span', { class: 'mark' }, mark))),
  ];
  const name = { class: unread ? 'row unread' : 'row', 'data-id': id, 'data-focus': id };
  const row = href
    ? h('a', { ...name, href, onclick: () => onopen?.() }, ...content)
    : h('div', { ...name, tabindex: '0' }, ...content);
  return h('li', {}, row);
}
