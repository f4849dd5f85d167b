/** Runs on every page, before the body is shown. */

const dark = matchMedia('(prefers-color-scheme: dark)');
/** Swagger UI has its dark colors below this class. */
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

/** Where the API is: the part of this address before /docs. */
const base = location.origin + location.pathname.replace(/\/docs(\/[^/]*)?$/, '');

function addCopy(block) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button);
}

document.addEventListener('DOMContentLoaded', () => {
  for (const place of document.querySelectorAll('[data-base]')) place.textContent = base;
  // Browsers offer the clipboard on https and on this machine only.
  if (navigator.clipboard) for (const block of document.querySelectorAll('article pre')) addCopy(block);
});
