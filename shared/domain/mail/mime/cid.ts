import { attributesOf, type HtmlAttribute, htmlTokens } from '#shared/domain/platform/html/tokens.ts';

/**
 * Content-IDs in HTML: finding the images that refer to attachments and pointing them at files. The HTML is the
 * output of `sanitizeHtml`; other input keeps every byte outside the rewritten attribute values.
 */

/**
 * Rewrites `src="cid:..."` of img elements whose id is in the map to the given address. Ids are compared
 * percent-decoded and without case; every other cid: reference and everything else stays as it is.
 */
export function resolveInlineImages(html: string, srcByContentId: ReadonlyMap<string, string>): string {
  const sources = new Map([...srcByContentId].map(([id, src]) => [contentIdKey(id), src]));
  const pieces: string[] = [];
  let copied = 0;
  for (const { attribute, keys } of cidImages(html)) {
    const src = keys.map((key) => sources.get(key)).find((found) => found !== undefined);
    if (src === undefined) continue;
    pieces.push(html.slice(copied, attribute.valueStart), escapeAttribute(src));
    copied = attribute.valueEnd;
  }
  pieces.push(html.slice(copied));
  return pieces.join('');
}

/** An img element whose source is a cid: reference. */
interface CidImage {
  /** The id as written and percent-decoded, each in the form of `contentIdKey`. */
  keys: string[];
  /** Offset of the element. */
  start: number;
  attribute: HtmlAttribute;
  /** All its attributes, as written. */
  attributes: HtmlAttribute[];
}

/** The images of the HTML that show an attachment, in order. */
export function* cidImages(html: string): Generator<CidImage> {
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'open' || token.name !== 'img') continue;
    const attributes = attributesOf(html, token);
    const attribute = attributes.find(({ name }) => name === 'src');
    const id = /^\s*cid:(.+)$/is.exec(attribute?.value ?? '')?.[1];
    if (!attribute || !id) continue;
    const written = unescapeAttribute(id);
    yield {
      keys: [written, percentDecoded(written)].map(contentIdKey),
      start: token.start,
      attribute,
      attributes,
    };
  }
}

/** The ids of the attachments that the HTML shows, each in the form of `contentIdKey`. */
export const shownContentIds = (html: string): ReadonlySet<string> =>
  new Set([...cidImages(html)].flatMap(({ keys }) => keys));

/** The normal form of a Content-ID: no angle brackets, lower case. */
export function contentIdKey(id: string): string {
  return id.trim().replace(/^<|>$/g, '').toLowerCase();
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescapeAttribute = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (name) => ENTITIES[name]!);

// Percent-encoding instead of entities where possible: it is also valid in an unquoted value.
const ESCAPES: Record<string, string> = { '&': '&amp;', '"': '%22', "'": '%27', '<': '%3C', '>': '%3E' };
const escapeAttribute = (src: string) => src.replace(/[&"'<>\s]/g, (char) => ESCAPES[char] ?? '%20');
