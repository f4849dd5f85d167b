import { attempt } from './act.ts';
import { type Child, h } from './dom.ts';
import type { Key, Pane } from './pane.ts';

/** What details have in common. */

/** Facts by their names; empty ones are left out. */
export function facts(entries: [name: string, value: Child | Child[]][]): HTMLElement | undefined {
  const rows = entries.flatMap(([name, value]) => {
    const children = (Array.isArray(value) ? value : [value]).filter(
      (child) => child !== null && child !== undefined && child !== '' && child !== false,
    );
    return children.length > 0 ? [h('div', {}, h('dt', {}, name), h('dd', {}, ...children))] : [];
  });
  return rows.length > 0 ? h('dl', { class: 'facts' }, ...rows) : undefined;
}

interface Tag {
  name: string;
  color: string | null;
}

/** Colors are shown beside the names, so that any color is legible. */
export function tagList(tags: Tag[] | null): HTMLElement | undefined {
  if (!tags || tags.length === 0) return undefined;
  const entries = tags.map(({ name, color }) => {
    const dot = h('span', { class: 'dot' });
    if (color) dot.style.backgroundColor = color;
    return h('li', { class: 'mark' }, dot, name);
  });
  return h('ul', { class: 'tags', 'aria-label': 'Tags' }, ...entries);
}

/** Children with something between them. */
export const between = (children: Child[], separator = ', '): Child[] =>
  children.flatMap((child, i) => (i === 0 ? [child] : [separator, child]));

/** What a detail shows below its heading. */
export interface Parts<Data> {
  elements: Child[];
  show(data: Data): unknown;
  /** Undefined before the record was read. */
  keys?(data: Data | undefined): Record<string, Key>;
  close?(): void;
}

interface Detail<Data> {
  read(): Promise<Data>;
  titleOf(data: Data): string;
  /** `changed` reads the record again, and the list after it. */
  parts(changed: () => Promise<void>): Parts<Data>;
}

/** The detail of one record. `changedOutside` refreshes the list beside it. */
export function detailPane<Data>(
  { read, titleOf, parts }: Detail<Data>,
  changedOutside: () => unknown,
): Pane {
  let data: Data | undefined;
  // It gets the focus when the detail opens.
  const heading = h('h1', { tabindex: '-1', dir: 'auto' }, 'Loading ...');
  const refresh = async () => {
    const found = await attempt(read);
    if (found === undefined) return;
    data = found;
    pane.title = heading.textContent = titleOf(found);
    await shown.show(found);
  };
  const shown = parts(async () => {
    await refresh();
    changedOutside();
  });
  const pane: Pane = {
    element: h('div', {}, heading, ...shown.elements),
    title: '',
    refresh,
    get keys() {
      return shown.keys?.(data) ?? {};
    },
    close: () => shown.close?.(),
  };
  return pane;
}
