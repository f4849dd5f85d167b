/** Makes elements. What the API says goes in as text, never as HTML. */

export type Child = Node | string | number | false | null | undefined;

type Value = string | number | boolean | null | undefined | ((event: never) => void);

const nodesOf = (children: Child[]) =>
  children.filter((child) => child !== false && child !== null && child !== undefined && child !== '');

/** `onclick` and the like take functions; other properties become attributes, true an empty one. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...(nodesOf(children) as (Node | string)[]));
  return element;
}

export const button = (label: string, onclick: () => unknown, properties: Record<string, Value> = {}) =>
  h('button', { type: 'button', onclick, ...properties }, label);

/** A link to an address of a record: only schemes that run nothing. */
export function outside(address: string, text = address): HTMLElement | string {
  return /^(https?|mailto|tel):/i.test(address)
    ? h('a', { href: address, target: '_blank', rel: 'noopener noreferrer nofollow' }, text)
    : text;
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}`);
  return found;
}

/** Runs `change`, and gives the focus back to the element that replaces the focused one, by its `data-focus`. */
function keepFocus(root: HTMLElement, change: () => void): void {
  const focused = document.activeElement;
  const name = root.contains(focused) ? focused?.getAttribute('data-focus') : undefined;
  change();
  if (name) root.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`)?.focus();
}

export interface Part<Data> {
  element: HTMLElement;
  show(data: Data): void;
}

/** A part of a view that is made again only when its data changed: a refresh disturbs no reader. */
export function part<Data>(
  build: (data: Data) => Child[],
  properties: Record<string, Value> = {},
): Part<Data> {
  const element = h('div', properties);
  let shown: string | undefined;
  return {
    element,
    show(data) {
      const text = JSON.stringify(data);
      if (text === shown) return;
      shown = text;
      keepFocus(element, () => element.replaceChildren(...(nodesOf(build(data)) as (Node | string)[])));
    },
  };
}
