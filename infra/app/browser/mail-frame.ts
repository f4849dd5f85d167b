import { h } from './dom.ts';

/**
 * The HTML of a mail or a description, which the API has sanitized, in a frame without scripts. The frame has the policy
 * of this page, so nothing loads from elsewhere; images are taken out before, because the page has no right to load any.
 * The origin of the page lets it measure the frame; a frame without `allow-scripts` cannot use it.
 */

const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

interface Policies {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string },
  ): { createHTML(html: string): string };
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
/** The one way from text to HTML. */
const trusted = policies?.createPolicy('mail', { createHTML: (html) => html }) ?? {
  createHTML: (html: string) => html,
};

/** Moves styles where a policy without inline styles leaves them alone: `style` below puts them back one by one. */
function prepared(html: string): string {
  const parsed = new DOMParser().parseFromString(trusted.createHTML(withoutStyles(html)), 'text/html');
  for (const image of parsed.querySelectorAll('img')) {
    const text = image.getAttribute('alt');
    image.replaceWith(...(text ? [`[${text}]`] : []));
  }
  for (const link of parsed.links) link.target = link.getAttribute('href')?.startsWith('#') ? '' : '_blank';
  return parsed.body.innerHTML;
}

/** In sanitized HTML, quotes in values are entities, so this finds attributes and nothing else. */
const withoutStyles = (html: string) => html.replaceAll(/(<[^<>]*? )style="/g, '$1data-style="');

function style(frame: Document): void {
  // Through the object model, which policies leave to scripts of the page: https://www.w3.org/TR/CSP3/#directive-style-src
  for (const element of frame.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset.style ?? '';
}

function adjust(frame: HTMLIFrameElement): void {
  const root = frame.contentDocument?.documentElement;
  if (root) frame.style.height = `${root.scrollHeight}px`;
}

/** `sheet` is the address of the frame's style sheet. */
export function mailFrame(html: string, title: string): HTMLIFrameElement {
  const sheet = new URL('docs/mail.css', location.href).href;
  const frame = h('iframe', { class: 'mail', sandbox: SANDBOX, title });
  frame.srcdoc = trusted.createHTML(
    `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${sheet}"><body dir="auto">${prepared(html)}`,
  ) as string;
  frame.addEventListener('load', () => {
    if (!frame.contentDocument) return;
    style(frame.contentDocument);
    adjust(frame);
    new ResizeObserver(() => adjust(frame)).observe(frame.contentDocument.body);
  });
  return frame;
}
