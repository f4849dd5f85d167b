/** The lexical parts of an address field (RFC 5322, 3.2 and 3.4), read leniently and in one pass. */
export interface AddressToken {
  kind: 'word' | 'quoted' | 'comment' | 'angle' | 'mark';
  /** Without delimiters and escapes; of an angle address without its route and comments. */
  text: string;
}

/** An angle address without its bracket; a route before it ends in a colon (obsolete, 4.4). */
const ANGLE = /<\s*(?:@[^:<>]{0,2000}:)?((?:"(?:[^"\\]|\\.){0,300}"|\([^()]{0,300}\)|[^<>",;]){0,1000})>?/y;
/** A domain may be an address in square brackets, which has colons. */
const WORD = /(?:\[[^[\]\s]{0,100}\]|[^\s"(<,;:])+/y;
const MARKS = ',;:';

export function addressTokens(value: string): AddressToken[] {
  const tokens: AddressToken[] = [];
  // What has no end is looked for once, or a field of opening marks would take quadratic time.
  const open = { quotes: true, nesting: true, comments: true };
  for (let at = 0; at < value.length; ) {
    const char = value[at]!;
    const enclosed =
      char === '"' && open.quotes
        ? quotedAt(value, at, open)
        : char === '('
          ? commentAt(value, at, open)
          : null;
    if (enclosed) {
      tokens.push(enclosed.token);
      at = enclosed.end;
    } else if (char === '<') {
      const [all, text] = matchAt(ANGLE, value, at);
      tokens.push({ kind: 'angle', text: withoutComments(text!) });
      at += all!.length;
    } else if (MARKS.includes(char)) {
      tokens.push({ kind: 'mark', text: char });
      at++;
    } else {
      const word = matchAt(WORD, value, at)?.[0] ?? '';
      if (word !== '') tokens.push({ kind: 'word', text: word });
      at += word.length || 1;
    }
  }
  return tokens;
}

function matchAt(pattern: RegExp, value: string, at: number): RegExpExecArray | [] {
  pattern.lastIndex = at;
  return pattern.exec(value) ?? [];
}

interface Enclosed {
  token: AddressToken;
  end: number;
}

type Open = Record<'quotes' | 'nesting' | 'comments', boolean>;

function quotedAt(value: string, start: number, open: Open): Enclosed | null {
  const chars: string[] = [];
  for (let at = start + 1; at < value.length; at++) {
    if (value[at] === '"') return { token: { kind: 'quoted', text: chars.join('') }, end: at + 1 };
    if (value[at] === '\\') at++;
    chars.push(value[at] ?? '');
  }
  open.quotes = false;
  return null;
}

/** Comments nest; where one has no end, they are taken to end at the next bracket. */
function commentAt(value: string, start: number, open: Open): Enclosed | null {
  const end = (open.nesting && nestedEnd(value, start, open)) || nextBracket(value, start, open);
  if (end === 0) return null;
  const text = value.slice(start + 1, end - 1).replace(/\\(.)/g, '$1');
  return { token: { kind: 'comment', text }, end };
}

function nestedEnd(value: string, start: number, open: Open): number {
  let depth = 0;
  for (let at = start; at < value.length; at++) {
    if (value[at] === '\\') at++;
    else if (value[at] === '(') depth++;
    else if (value[at] === ')' && --depth === 0) return at + 1;
  }
  open.nesting = false;
  return 0;
}

function nextBracket(value: string, start: number, open: Open): number {
  const end = open.comments ? value.indexOf(')', start) : -1;
  open.comments = end !== -1;
  return end + 1;
}

/** The content of an angle without its comments, the innermost first. */
function withoutComments(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/"(?:[^"\\]|\\.){0,300}"|\([^()]*\)/g, (found) =>
      found.startsWith('"') ? found : ' ',
    );
  }
  return rest.trim();
}
