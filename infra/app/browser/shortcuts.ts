import { openDialog } from './dialog.ts';
import { button, h } from './dom.ts';
import type { Key } from './pane.ts';

/** Keys, and the dialog that shows them. They can be turned off: https://www.w3.org/TR/WCAG22/#character-key-shortcuts */

const OFF = 'app_shortcuts_off';

const areOff = () => localStorage.getItem(OFF) !== null;

/** Milliseconds for the second key of `g i`. */
const SEQUENCE = 1_500;

const TEXT_INPUTS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** The keys of now by what is pressed, `g i` for two; the first ones win. */
type Known = () => Record<string, Key>[];

const find = (known: Known, pressed: string) => known().find((keys) => pressed in keys)?.[pressed];

export function listenToKeys(known: Known): void {
  let first: { key: string; at: number } | undefined;
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target as HTMLElement;
    if (document.querySelector('dialog[open]')) return;
    if (target.matches(TEXT_INPUTS)) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    if (areOff() && event.key !== '?') return;
    const started = first && event.timeStamp - first.at < SEQUENCE ? first.key : undefined;
    first = undefined;
    const key = find(known, started ? `${started} ${event.key}` : event.key);
    if (key) {
      event.preventDefault();
      key.press();
    } else if (event.key === 'g') first = { key: 'g', at: event.timeStamp };
  });
}

function rowsOf(known: Known): HTMLElement[] {
  const seen = new Map<string, string>();
  for (const keys of known())
    for (const [key, { label }] of Object.entries(keys)) if (!seen.has(key)) seen.set(key, label);
  return [...seen].map(([key, label]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, label)));
}

export function showHelp(known: Known): void {
  const off = h('input', {
    type: 'checkbox',
    onchange: () => (off.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, 'true')),
  });
  off.checked = !areOff();
  openDialog('Keys', (close) => [
    h('p', {}, 'Enter opens the row that has the focus, Escape leaves a text, and Ctrl with Enter sends it.'),
    h('dl', { class: 'keys' }, ...rowsOf(known)),
    h('label', {}, off, ' Use these keys (? always shows this)'),
    h('p', {}, button('Close', close)),
  ]);
}
