import { attributesOf, type HtmlToken, htmlTokens, isVoid } from './tokens.ts';

/** One visible line of sanitized HTML. */
export interface HtmlLine {
  /** Without line break; white space is collapsed (except in pre). */
  text: string;
  /** Offset in the HTML where the elements of this line begin. */
  start: number;
  /** The number of blockquotes around the beginning of the line. */
  quoteDepth: number;
  /** Classes, and `cite`, `border-top` or `hr`, of elements that begin with this line. */
  marks: string[];
  /** Classes of all elements around the line. */
  inside: string[];
}

const BLOCKS = new Set(
  (
    'address article aside blockquote center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li ' +
    'main ol p pre section table tr ul caption'
  ).split(' '),
);
const SPACED = new Set('p blockquote h1 h2 h3 h4 h5 h6 ul ol pre table'.split(' '));

/** Joins lines into a text. */
export function textOfLines(lines: readonly HtmlLine[]): string {
  return lines.map((line) => line.text).join('\n');
}

/** The visible lines of sanitized HTML (the output of `sanitizeHtml`); blank lines separate paragraphs. */
export function htmlLines(sanitized: string): HtmlLine[] {
  const layout = new Layout(sanitized);
  for (const token of htmlTokens(sanitized)) layout.take(token);
  return layout.finish();
}

const BULLET = '- ';
/** Marks the line below an hr element. */
export const RULE = 'hr';
const NO_MARKS: string[] = [];
const MAX_MARKS = 20;

/** The state inside an element, with its ancestors. */
interface Context {
  quoteDepth: number;
  preformatted: boolean;
  marks: string[];
}

class Layout {
  private readonly lines: HtmlLine[] = [];
  private readonly open: Context[] = [{ quoteDepth: 0, preformatted: false, marks: NO_MARKS }];
  private readonly html: string;
  /** The current line; joined only at its end, because appending to a string and reading it is quadratic. */
  private pieces: string[] = [];
  private endsInSpace = true;
  private line: HtmlLine | null = null;
  private marks: string[] = NO_MARKS;
  private marksStart = 0;
  /** Where the elements of the next line begin: after the last text, image or end tag. */
  private gapStart = 0;
  private blanks = 0;

  constructor(html: string) {
    this.html = html;
  }

  take(token: HtmlToken): void {
    if (token.kind === 'text') this.addText(this.html.slice(token.start, token.end), token.start);
    else if (token.kind === 'open') this.enter(token);
    else if (token.kind === 'close') this.leave(token);
  }

  finish(): HtmlLine[] {
    this.endLine();
    const first = this.lines.findIndex((line) => line.text !== '');
    const last = this.lines.findLastIndex((line) => line.text !== '');
    return this.lines.slice(Math.max(first, 0), last + 1);
  }

  private enter(token: HtmlToken): void {
    const { name } = token;
    if (name === 'br') this.lineBreak(token.end);
    if (BLOCKS.has(name) && !this.isBullet()) this.breakLine(SPACED.has(name) ? 1 : 0);
    if (name === 'td' || name === 'th') this.space();
    if (name === 'img') this.skipTo(token.end);
    const marks = name === 'hr' ? [RULE] : marksOf(this.html, token);
    if (!this.line && marks.length > 0) this.mark(marks);
    if (!isVoid(name)) this.nest(name, marks);
    if (name === 'li') this.append(BULLET);
  }

  private leave(token: HtmlToken): void {
    if (this.open.length > 1) this.open.pop();
    if (BLOCKS.has(token.name)) this.breakLine(SPACED.has(token.name) ? 1 : 0);
    this.gapStart = token.end;
  }

  private nest(name: string, marks: string[]): void {
    const around = this.open.at(-1)!;
    this.open.push({
      quoteDepth: around.quoteDepth + (name === 'blockquote' ? 1 : 0),
      preformatted: around.preformatted || name === 'pre',
      marks: marks.length > 0 ? [...around.marks, ...marks] : around.marks,
    });
  }

  private mark(marks: string[]): void {
    if (this.marks.length === 0) this.marksStart = this.gapStart;
    if (this.marks.length < MAX_MARKS) this.marks = [...this.marks, ...marks];
  }

  /** An image is content: a mark before it does not mark the line after it. */
  private skipTo(end: number): void {
    this.gapStart = end;
    this.marks = NO_MARKS;
  }

  /** `text`: as in the HTML at `start`. */
  private addText(text: string, start: number): void {
    if (this.open.at(-1)!.preformatted) this.addPreformatted(text, start);
    else this.addFolded(decode(text));
    this.gapStart = start + text.length;
  }

  private addPreformatted(text: string, start: number): void {
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      if (end > at) this.append(decode(text.slice(at, end)));
      at = end + 1;
      this.lineBreak(start + at);
    }
    if (at < text.length) this.append(decode(text.slice(at)));
  }

  private addFolded(text: string): void {
    const folded = text.replace(/[ \t\n\f]+/g, ' ');
    if (this.line ? folded !== '' : folded !== '' && folded !== ' ') {
      this.append(this.endsInSpace && folded.startsWith(' ') ? folded.slice(1) : folded);
    }
  }

  private append(text: string): void {
    this.begin();
    this.pieces.push(text);
    if (text !== '') this.endsInSpace = text.endsWith(' ');
  }

  /** Whether the line contains only the bullet of a list item so far. */
  private isBullet(): boolean {
    return this.pieces.length === 1 && this.pieces[0] === BULLET;
  }

  private space(): void {
    if (this.line && !this.endsInSpace) this.append(' ');
  }

  private lineBreak(end: number): void {
    this.begin();
    this.endLine();
    this.gapStart = end;
  }

  /** Starts a line unless one is open; pending blank lines come first. */
  private begin(): void {
    if (this.line) return;
    if (this.blanks > 0 && this.lines.length > 0) this.lines.push(this.newLine(NO_MARKS));
    this.blanks = 0;
    this.line = this.newLine(this.marks);
    this.marks = NO_MARKS;
  }

  private newLine(marks: string[]): HtmlLine {
    const { quoteDepth, marks: inside } = this.open.at(-1)!;
    const start = this.marks.length > 0 ? this.marksStart : this.gapStart;
    return { text: '', start, quoteDepth, marks, inside };
  }

  private endLine(): void {
    if (!this.line) return;
    if (this.pieces.length > 0) {
      this.line.text = this.pieces.join('').replaceAll('\u00a0', ' ').trimEnd();
      this.pieces = [];
    }
    this.lines.push(this.line);
    this.line = null;
    this.endsInSpace = true;
  }

  private breakLine(blanks: number): void {
    this.endLine();
    this.blanks = Math.max(this.blanks, blanks);
  }
}

function marksOf(html: string, token: HtmlToken): string[] {
  if (token.end - token.start === token.name.length + 2) return NO_MARKS;
  const marks: string[] = [];
  for (const { name, value } of attributesOf(html, token)) {
    // Alone on a blockquote it comes from Gmail's quote button; in a reply the wrapper has it as well.
    const classes =
      token.name === 'blockquote'
        ? value.split(' ').filter((word) => word !== 'gmail_quote')
        : value.split(' ');
    if (name === 'class') marks.push(...classes);
    if (name === 'type' && value === 'cite') marks.push('cite');
    if (name === 'style' && /(?:^|;)border-top:solid /.test(value)) marks.push('border-top');
  }
  return marks;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Decodes the four entities that sanitized HTML contains. */
function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity]!);
}
