import { attempt } from './act.ts';
import { type Child, h } from './dom.ts';

/** What details have in common. */

/** The heading gets the focus when the detail opens. */
export const heading = (text: string) => h('h1', { tabindex: '-1' }, text);

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

/** A detail that reads one record and shows it; a record that is gone says so. */
export async function readInto<Data>(
  read: () => Promise<Data>,
  show: (data: Data) => unknown,
): Promise<void> {
  const data = await attempt(read);
  if (data !== undefined) await show(data);
}
