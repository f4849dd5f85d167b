/**
 * A linear tokenizer for HTML: where tags, comments and text begin and end. It builds no tree.
 *
 * It is exact on the output of `sanitizeHtml`, where every `<` starts a tag and every attribute value is in double
 * quotes. On other input it follows the tokenizer of the HTML standard (13.2.5) closely enough to find tags and skip
 * quoted values and comments. Offsets are UTF-16 units.
 */
export interface HtmlToken {
  kind: 'text' | 'open' | 'close' | 'other';
  /** Lower-cased tag name; empty for text and other. */
  name: string;
  start: number;
  /** Exclusive. */
  end: number;
}

const VOID = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Whether an element has no content and no end tag, such as br and img. */
export function isVoid(name: string): boolean {
  return VOID.has(name);
}

/** The tokens of `html` in order; together they cover it without gaps. */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = nextMarkup(html, at);
    if (open > at) yield { kind: 'text', name: '', start: at, end: open };
    if (open >= html.length) return;
    const token = markupAt(html, open);
    yield token;
    at = token.end;
  }
}

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** The next `<` that starts a tag, comment or declaration, or the end of the text. */
function nextMarkup(html: string, from: number): number {
  let at = html.indexOf('<', from);
  while (at !== -1) {
    const code = html.charCodeAt(at + 1);
    if (isLetter(code) || code === 47 || code === 33 || code === 63) return at;
    at = html.indexOf('<', at + 1);
  }
  return html.length;
}

function markupAt(html: string, start: number): HtmlToken {
  const closing = html.charCodeAt(start + 1) === 47;
  const nameStart = closing ? start + 2 : start + 1;
  if (!isLetter(html.charCodeAt(nameStart)))
    return { kind: 'other', name: '', start, end: otherEnd(html, start) };
  let at = nameStart;
  while (at < html.length && !/[\s/>]/.test(html[at]!)) at++;
  const name = html.slice(nameStart, at).toLowerCase();
  return { kind: closing ? 'close' : 'open', name, start, end: tagEnd(html, at) };
}

/** End of a comment, declaration or processing instruction. */
function otherEnd(html: string, start: number): number {
  const comment = html.startsWith('<!--', start);
  const end = html.indexOf(comment ? '-->' : '>', start + (comment ? 2 : 1));
  return end === -1 ? html.length : end + (comment ? 3 : 1);
}

/** End of a tag whose name stops at `from`: the first `>` outside a quoted attribute value. */
function tagEnd(html: string, from: number): number {
  let at = from;
  let afterEquals = false;
  while (at < html.length) {
    const char = html[at]!;
    if (char === '>') return at + 1;
    if (afterEquals && (char === '"' || char === "'")) {
      const close = html.indexOf(char, at + 1);
      if (close === -1) return html.length;
      at = close;
    }
    if (char === '=') afterEquals = true;
    else if (!/\s/.test(char)) afterEquals = false;
    at++;
  }
  return html.length;
}

/** One attribute of a tag: name in lower case, value as written (entities not decoded), offsets. */
export interface HtmlAttribute {
  name: string;
  value: string;
  start: number;
  /** Exclusive, with the quotes around the value. */
  end: number;
  valueStart: number;
  valueEnd: number;
}

const ATTRIBUTE = /([^\s"'<>/=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/dg;

/** The attributes of the open tag `token` of `html`, in order; of repeated names the first counts. */
export function attributesOf(html: string, token: HtmlToken): HtmlAttribute[] {
  const inside = html.slice(token.start, token.end);
  const found = new Map<string, HtmlAttribute>();
  ATTRIBUTE.lastIndex = 1 + token.name.length;
  for (let match = ATTRIBUTE.exec(inside); match; match = ATTRIBUTE.exec(inside)) {
    const name = match[1]!.toLowerCase();
    const span = match.indices![2] ??
      match.indices![3] ??
      match.indices![4] ?? [match[0].length, match[0].length];
    if (found.has(name)) continue;
    const value = match[2] ?? match[3] ?? match[4] ?? '';
    const start = token.start + match.index;
    found.set(name, {
      name,
      value,
      start,
      end: start + match[0].length,
      valueStart: token.start + span[0],
      valueEnd: token.start + span[1],
    });
  }
  return [...found.values()];
}
