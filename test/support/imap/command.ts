import type { Input } from './input.ts';

/** Commands of clients (RFC 3501, section 9). */

/** An atom, a string, or a list in parentheses. Bytes are characters of Latin-1. */
export type Token = string | Token[];

export interface Command {
  tag: string;
  /** `UID FETCH`, in capitals. */
  name: string;
  args: Token[];
}

const LITERAL = /~?\{(\d+)(\+?)\}$/;

/** A place for a literal in the text of a command: commands contain no NUL. */
const place = (i: number) => `\0${i}\0`;

/** One element: up to a space or a parenthesis that is not within brackets. */
const ELEMENT = /\0\d+\0|"(?:\\.|[^"\\])*"|\(|\)|(?:\[[^\]]*\]|[^\s()[])+/g;

function tokensOf(text: string, literals: readonly string[]): Token[] {
  const open: Token[][] = [[]];
  for (const [element] of text.matchAll(ELEMENT)) {
    const list = open.at(-1) as Token[];
    if (element === '(') open.push([]);
    else if (element === ')') (open.at(-2) ?? list).push(open.length > 1 ? (open.pop() as Token[]) : []);
    else if (element.startsWith('\0')) list.push(literals[Number(element.slice(1, -1))] as string);
    else if (element.startsWith('"')) list.push(element.slice(1, -1).replace(/\\(.)/g, '$1'));
    else list.push(element);
  }
  return open[0] as Token[];
}

/** Undefined when the client is gone. `go` says that a literal may come. */
export async function readCommand(input: Input, go: () => void): Promise<Command | undefined> {
  const literals: string[] = [];
  let text = '';
  for (;;) {
    const line = await input.line();
    if (line === undefined) return undefined;
    const literal = LITERAL.exec(line);
    if (!literal) {
      text += line;
      break;
    }
    if (!literal[2]) go();
    const bytes = await input.bytes(Number(literal[1]));
    if (!bytes) return undefined;
    text += line.slice(0, literal.index) + place(literals.push(bytes.toString('latin1')) - 1);
  }
  const [tag = '*', first = '', ...rest] = tokensOf(text, literals);
  const byUid = String(first).toUpperCase() === 'UID';
  const [second = '', ...args] = byUid ? rest : [first, ...rest];
  return { tag: String(tag), name: `${byUid ? 'UID ' : ''}${second}`.toUpperCase(), args };
}

/** A flat list of what may be one element or many. */
export const listOf = (token: Token | undefined): string[] =>
  (Array.isArray(token) ? token : [token ?? '']).map(String);

/** Which numbers a set like `1:5,9:*` contains (RFC 3501, sequence-set). */
export function setOf(text: string, last: number): (number: number) => boolean {
  const numberOf = (part: string) => (part === '*' ? last : Number(part));
  const ranges = text.split(',').map((range) => {
    const [from = '', to = from] = range.split(':');
    return [numberOf(from), numberOf(to)].sort((a, b) => a - b) as [number, number];
  });
  return (number) => ranges.some(([from, to]) => number >= from && number <= to);
}

/** Ascending numbers as a set: `1:3,7`. */
export function setIn(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}:${to}`)).join(',');
}
