/** The lexical parts of an address field (RFC 5322, 3.2 and 3.4), read leniently and in one pass. */
export interface AddressToken {
  kind: 'word' | 'quoted' | 'comment' | 'angle' | 'mark';
  /** Without delimiters and escapes; of an angle address without its route and comments. */
  text: string;
}

/** A domain may be an address in square brackets, which has colons. */
const WORD = /(?:\[[^[\]\s]{0,100}\]|[^\s"(<,;:])+/y;
const MARKS = ',;:';

export function addressTokens(value: string): AddressToken[] {
  const tokens: AddressToken[] = [];
  // An unclosed mark is searched for once, or a field of opening marks would take quadratic time.
  const open = { quotes: true, nesting: true, comments: true };
  for (let at = 0; at < value.length; ) {
    const char = value[at]!;
    const { token, end } =
      enclosedAt(value, at, open) ??
      (char === '<'
        ? angleAt(value, at, open)
        : MARKS.includes(char)
          ? markAt(value, at)
          : wordAt(value, at));
    if (token) tokens.push(token);
    at = end;
  }
  return tokens;
}

const markAt = (value: string, at: number): Enclosed => ({
  token: { kind: 'mark', text: value[at]! },
  end: at + 1,
});

/** A word; empty at white space or an unpaired mark. */
function wordAt(value: string, at: number): { token?: AddressToken; end: number } {
  WORD.lastIndex = at;
  const text = WORD.exec(value)?.[0];
  return text ? { token: { kind: 'word', text }, end: at + text.length } : { end: at + 1 };
}

interface Enclosed {
  token: AddressToken;
  end: number;
}

type Open = Record<'quotes' | 'nesting' | 'comments', boolean>;

function enclosedAt(value: string, at: number, open: Open): Enclosed | null {
  if (value[at] === '"') return open.quotes ? quotedAt(value, at, open) : null;
  return value[at] === '(' ? commentAt(value, at, open) : null;
}

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

/** Comments nest; an unclosed one ends at the next bracket. */
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

/**
 * An angle address; without its closing bracket it ends before the next mailbox. A route ends in a colon (obsolete,
 * 4.4).
 */
function angleAt(value: string, start: number, open: Open): Enclosed {
  let chars: string[] = [];
  let hasRoute: boolean | undefined;
  let at = start + 1;
  for (; at < value.length && value[at] !== '>'; at++) {
    const char = value[at]!;
    const enclosed = enclosedAt(value, at, open);
    if (enclosed) {
      if (char === '"') chars.push(value.slice(at, enclosed.end));
      at = enclosed.end - 1;
      continue;
    }
    if ('<;'.includes(char) || (char === ',' && !hasRoute)) break;
    if (/\S/.test(char)) hasRoute ??= char === '@';
    if (char === ':' && hasRoute) chars = [];
    else chars.push(char);
  }
  return {
    token: { kind: 'angle', text: chars.join('').trim() },
    end: value[at] === '>' ? at + 1 : at,
  };
}
