import { type Child, h } from './dom.ts';

let dialogs = 0;

/** Shows a modal dialog, whose content may close it. The browser keeps the focus inside, and gives it back. */
export function openDialog(title: string, build: (close: () => void) => Child[]): void {
  const id = `dialog-${++dialogs}`;
  const dialog: HTMLDialogElement = h('dialog', { 'aria-labelledby': id, onclose: () => dialog.remove() });
  dialog.append(h('h2', { id }, title), h('div', {}, ...build(() => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
}
