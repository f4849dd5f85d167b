/**
 * The grammar that sanitized HTML must have. Text in it is read the same by every HTML parser: no raw-text or foreign
 * elements, no comments, every value in double quotes, every other < and > an entity.
 */
const NAMES =
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl ' +
  'dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby ' +
  's samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr';
const ATTRIBUTES =
  'align alt bgcolor border cellpadding cellspacing class color colspan dir face height href hspace lang noshade ' +
  'nowrap rel rowspan size span src start style title type valign vspace width';
const TAG = /<(?:\/([a-z][a-z0-9]*)|([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)( \/)?)>/g;
const ATTRIBUTE = / ([a-z]+)(?:="([^"<>]*)")?/g;
const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr']);
const names = new Set(NAMES.split(' '));
const attributes = new Set(ATTRIBUTES.split(' '));

/** Everything in `html` that sanitized HTML must not have; empty when it is safe. */
export function violations(html: string, policy: 'comment' | 'mail'): string[] {
  const found: string[] = [];
  const open: string[] = [];
  const rest = html.replace(TAG, (_, closing, opening, written) => {
    const name = closing ?? opening;
    if (!names.has(name)) found.push(`element ${name}`);
    if (opening) found.push(...attributeViolations(name, written, policy));
    if (opening && !VOID.has(name)) open.push(name);
    if (closing && open.pop() !== closing) found.push(`unbalanced ${closing}`);
    return '';
  });
  if (/[<>]/.test(rest)) found.push(`markup left: ${/.{0,20}[<>].{0,20}/s.exec(rest)?.[0]}`);
  if (open.length > 0) found.push(`left open: ${open}`);
  return found;
}

function attributeViolations(element: string, written: string, policy: 'comment' | 'mail'): string[] {
  const found: string[] = [];
  const values = new Map([...written.matchAll(ATTRIBUTE)].map(([, name, raw]) => [name!, decode(raw ?? '')]));
  for (const [name, value] of values) {
    if (!attributes.has(name)) found.push(`attribute ${name}`);
    if (policy === 'comment' && (name === 'style' || name === 'class')) found.push(`attribute ${name}`);
    if (name === 'style' && UNSAFE_STYLE.test(value)) found.push(`style ${value}`);
    if (name === 'src' && !IMAGE_SOURCE[policy].test(value)) found.push(`src ${value}`);
    if (name === 'href' && !isSafeLink(value)) found.push(`href ${value}`);
  }
  if (values.has('href') && values.get('rel') !== 'noopener noreferrer nofollow') found.push('no rel');
  if (element === 'img' && !values.has('src')) found.push('image without source');
  return found;
}

const UNSAFE_STYLE = /url|expression|position|behavior|binding|\\|\/\*|[{}<>]|-\d/i;
const IMAGE_SOURCE = { comment: /^cid:/i, mail: /^(?:https?|cid):/i };

/** As the URL parser of browsers reads it. */
function isSafeLink(href: string): boolean {
  const { protocol } = new URL(href, 'https://base.example/');
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol);
}

const decode = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'amp'],
  );

/** How deep elements are nested in sanitized HTML. */
export function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of html.matchAll(TAG)) {
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>')) depth++;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
