import type { Attributes, IOptions } from 'sanitize-html';
import { safeStyle } from './style.ts';

/** The source of the HTML: a comment written in the app, or the body of a mail. */
export type HtmlPolicy = 'comment' | 'mail';

const TAGS =
  'a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del dfn div dl dt em ' +
  'figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp ' +
  'section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr';
const MAIL_TAGS = 'big center font';

/** Elements that are removed with their content: it is code, hidden, or not part of the text. */
const DROPPED_WITH_CONTENT =
  'script style textarea option select xmp iframe noembed noframes noscript template svg math title object applet';

/**
 * Class names and ids by which mail programs mark the start of a quote or a signature. They stay (an id becomes a
 * class), because the quote splitter and clients need them; every other class and id is removed.
 */
const MARKERS =
  'gmail_quote gmail_quote_container gmail_attr gmail_extra gmail_signature moz-cite-prefix moz-signature ' +
  'moz-forward-container yahoo_quoted protonmail_quote protonmail_signature_block tutanota_quote zmail_extra ' +
  'ntes-mailmaster-quote OutlookMessageHeader divRplyFwdMsg appendonsend stopSpelling Signature isReplyContent ' +
  'isForwardContent ms-outlook-mobile-reference-message mail-editor-reference-message-container ' +
  'ms-outlook-mobile-signature AppleMailSignature';
const KNOWN_MARKERS = new Set(MARKERS.split(' '));

const CELL = ['align', 'valign', 'bgcolor', 'width', 'height', 'colspan', 'rowspan', 'nowrap'];

const COMMENT_ATTRIBUTES = {
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  ol: ['start'],
  '*': ['dir', 'lang'],
};
const MAIL_ATTRIBUTES = {
  ...COMMENT_ATTRIBUTES,
  img: [...COMMENT_ATTRIBUTES.img, 'align', 'border', 'hspace', 'vspace'],
  table: ['align', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'width', 'height'],
  tr: ['align', 'valign', 'bgcolor'],
  td: CELL,
  th: CELL,
  col: ['span', 'width', 'align'],
  colgroup: ['span', 'width', 'align'],
  font: ['color', 'face', 'size'],
  blockquote: ['type'],
  hr: ['width', 'size', 'align', 'noshade', 'color'],
  ol: ['start', 'type'],
  ul: ['type'],
  '*': ['dir', 'lang', 'align', 'style', 'class'],
};

const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel'];
const IMAGE_SCHEMES: Record<HtmlPolicy, string[]> = {
  // Colleagues read comments: an external image would tell its host when and where.
  comment: ['cid'],
  mail: ['https', 'http', 'cid'],
};

/** Allowed tag names of a policy. */
export const ALLOWED_TAGS: Record<HtmlPolicy, ReadonlySet<string>> = {
  comment: new Set(TAGS.split(' ')),
  mail: new Set(`${TAGS} ${MAIL_TAGS}`.split(' ')),
};

/** The sanitize-html options of a policy. Our rules rewrite attributes first, then the allow-list applies. */
export function optionsFor(policy: HtmlPolicy): IOptions {
  return {
    allowedTags: [...ALLOWED_TAGS[policy]],
    allowedAttributes: policy === 'mail' ? MAIL_ATTRIBUTES : COMMENT_ATTRIBUTES,
    allowedSchemes: LINK_SCHEMES,
    allowedSchemesByTag: { img: IMAGE_SCHEMES[policy] },
    nonTextTags: DROPPED_WITH_CONTENT.split(' '),
    selfClosing: ['img', 'br', 'hr', 'col', 'wbr'],
    parseStyleAttributes: false,
    transformTags: { '*': (tagName, attribs) => rewrite(policy, tagName, attribs) },
  };
}

function rewrite(policy: HtmlPolicy, tagName: string, attribs: Attributes) {
  // Who changes a draft sends back what was shown: there, images are blocked (remote.ts).
  if (tagName === 'img' && policy === 'mail') attribs.src ??= attribs['data-blocked-src'] ?? '';
  if (tagName === 'img') keepUrl(attribs, 'src', IMAGE_SCHEMES[policy], () => false);
  if (tagName === 'a') {
    delete attribs.rel;
    if (keepUrl(attribs, 'href', LINK_SCHEMES, RELATIVE[policy]))
      attribs.rel = 'noopener noreferrer nofollow';
  }
  if (tagName === 'blockquote' && attribs.type !== 'cite') delete attribs.type;
  if (policy === 'mail') keepLooks(attribs);
  return { tagName, attribs };
}

// A relative link in a mail would point into our own site; only links within the mail make sense.
const RELATIVE: Record<HtmlPolicy, (url: string) => boolean> = {
  comment: () => true,
  mail: (url) => url.startsWith('#') || url.startsWith('//'),
};

// Without two slashes after http or https, a browser reads an address on the page's own site.
const REMOTE = /^https?:[/\\]{2}/i;

/**
 * Reads a URL as browsers do, which ignore only these characters: a scheme that contains other white space or invisible
 * characters is none, so the address is relative. https://url.spec.whatwg.org/#concept-basic-url-parser
 */
function readByBrowsers(url: string): string {
  let start = 0;
  while (start < url.length && url.charCodeAt(start) <= 0x20) start++;
  return url.slice(start).replace(/[\t\n\r]/g, '');
}

/** Removes the attribute unless its scheme is listed; true when it stays. */
function keepUrl(
  attribs: Attributes,
  name: string,
  schemes: string[],
  relative: (url: string) => boolean,
): boolean {
  const url = (attribs[name] ?? '').trim();
  const read = readByBrowsers(url);
  const scheme = /^([^/?#\\]*?):/.exec(read)?.[1]?.toLowerCase();
  const isRemote = !scheme?.startsWith('http') || REMOTE.test(read);
  const allowed = scheme === undefined ? relative(read) : schemes.includes(scheme) && isRemote;
  if (url !== '' && allowed) {
    attribs[name] = url;
    return true;
  }
  delete attribs[name];
  return false;
}

/** Keeps safe CSS, and of class and id only the markers of mail programs. */
function keepLooks(attribs: Attributes): void {
  const style = safeStyle(attribs.style ?? '');
  if (style) attribs.style = style;
  else delete attribs.style;
  const words = `${attribs.class ?? ''} ${attribs.id ?? ''}`.slice(0, 1000).split(/\s+/);
  const markers = [...new Set(words.filter((word) => KNOWN_MARKERS.has(word)))];
  if (markers.length > 0) attribs.class = markers.join(' ');
  else delete attribs.class;
}
