import { safeStyle } from './style.ts';
import { attributesOf, type HtmlAttribute, type HtmlToken, htmlTokens } from './tokens.ts';

/**
 * HTML that loads nothing from other servers: `src` and similar attributes are renamed, to `data-blocked-src`, so that
 * a client can restore them when its user wants the images.
 *
 * The input is the output of `sanitizeHtml`, where only images load. The other names are a second line of defence, for
 * a body that was stored under another policy.
 */
export function blockRemote(html: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'open') continue;
    for (const attribute of attributesOf(html, token)) {
      if (!loads(token, attribute)) continue;
      pieces.push(html.slice(copied, attribute.start), PREFIX, html.slice(attribute.start, attribute.end));
      const kept = attribute.name === 'style' ? safeStyle(decoded(attribute.value)) : '';
      if (kept) pieces.push(` style="${kept.replaceAll('"', '&quot;')}"`);
      copied = attribute.end;
    }
  }
  pieces.push(html.slice(copied));
  return pieces.join('');
}

const PREFIX = 'data-blocked-';

/** https://html.spec.whatwg.org/multipage/indices.html#attributes-3, and obsolete attributes. */
const LOADING = new Set(
  (
    'src srcset imagesrcset background poster href xlink:href data lowsrc dynsrc longdesc classid codebase code ' +
    'archive manifest profile ping srcdoc action formaction'
  ).split(' '),
);

/** An image of the mail itself: not resolved yet, or the download of its attachment. */
const OWN_IMAGE = /^(?:cid:|\/files\/[\w-]+\/download\?)/i;

function loads(token: HtmlToken, { name, value }: HtmlAttribute): boolean {
  // In an attribute, CSS can load only through a function.
  if (name === 'style') return value.includes('(') && safeStyle(decoded(value)) !== decoded(value);
  if (!LOADING.has(name)) return false;
  if (name === 'href') return token.name !== 'a';
  return !(name === 'src' && token.name === 'img' && OWN_IMAGE.test(value));
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const decoded = (value: string) => value.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity]!);
