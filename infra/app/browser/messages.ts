import { byId } from './dom.ts';

/** What is told to all users, those of screen readers too: the page has a live region for each of the two. */

/** Milliseconds that it stays. */
const SHOWN = 6_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** What was done; said once more when it is the same. */
export function say(text: string): void {
  const region = byId('status');
  region.textContent = '';
  clearTimeout(timer);
  timer = setTimeout(() => {
    region.textContent = '';
  }, SHOWN);
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** What went wrong; an empty text removes it. */
export function showProblem(text: string): void {
  byId('problem').textContent = text;
}
