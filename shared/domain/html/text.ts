import { sanitizeHtml } from './sanitize.ts';
import { attributesOf, type HtmlToken, htmlTokens, isVoid } from './tokens.ts';

/** One line of the text that a piece of sanitized HTML shows. */
export interface HtmlLine {
  /** Without line break, white space folded (not inside pre). */
  text: string;
  /** Offset in the HTML where the elements of this line begin. */
  start: number;
  /** Inside how many blockquotes the line begins. */
  quoteDepth: number;
  /** Classes, and `cite` or `border-top`, of elements that begin with this line. */
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

/**
 * The text of any HTML: blocks on lines of their own, links by their text, script and style left out. Safe and
 * linear on hostile input (it sanitizes first). No leading or trailing white space.
 */
export function htmlToText(html: string): string {
  return textOfLines(htmlLines(sanitizeHtml(html, 'mail')));
}

/** Joins lines into the text they make. */
export function textOfLines(lines: readonly HtmlLine[]): string {
  return lines.map((line) => line.text).join('\n');
}

/** The lines that sanitized HTML (the output of `sanitizeHtml`) shows; blank lines part paragraphs. */
export function htmlLines(sanitized: string): HtmlLine[] {
  const layout = new Layout(sanitized);
  for (const token of htmlTokens(sanitized)) layout.take(token);
  return layout.finish();
}

/** What holds inside an element, its ancestors counted. */
interface Context {
  quoteDepth: number;
  preformatted: boolean;
  marks: string[];
}

class Layout {
  private readonly lines: HtmlLine[] = [];
  private readonly open: Context[] = [{ quoteDepth: 0, preformatted: false, marks: [] }];
  private readonly html: string;
  private text = '';
  private line: Omit<HtmlLine, 'text'> | null = null;
  private marks: string[] = [];
  private marksStart = 0;
  /** Where elements begin that belong to the next line: after the last text, image or end tag. */
  private gapStart = 0;
  private blanks = 0;

  constructor(html: string) {
    this.html = html;
  }

  take(token: HtmlToken): void {
    if (token.kind === 'text') this.addText(decode(this.html.slice(token.start, token.end)), token.end);
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
    if (name === 'br') return this.lineBreak(token.end);
    if (BLOCKS.has(name) && this.text !== BULLET) this.breakLine(SPACED.has(name) ? 1 : 0);
    if (name === 'td' || name === 'th') this.space();
    if (name === 'img') this.skipTo(token.end);
    const marks = marksOf(this.html, token);
    if (!this.line && marks.length > 0) this.mark(marks);
    if (!isVoid(name)) this.nest(name, marks);
    if (name === 'li') this.addText(BULLET, this.gapStart);
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
    this.marks.push(...marks);
  }

  /** An image is content: what was marked before it does not mark the line after it. */
  private skipTo(end: number): void {
    this.gapStart = end;
    this.marks = [];
  }

  private addText(text: string, end: number): void {
    if (!this.open.at(-1)!.preformatted) return this.addFolded(text, end);
    text.split(/\r\n|[\r\n]/).forEach((line, index) => {
      if (index > 0) this.lineBreak(end);
      if (line === '') return;
      this.begin();
      this.text += line;
    });
    this.gapStart = end;
  }

  private addFolded(text: string, end: number): void {
    const folded = text.replace(/[ \t\r\n\f]+/g, ' ');
    if (!this.line && (folded === ' ' || folded === '')) return;
    this.begin();
    this.text += this.text === '' || this.text.endsWith(' ') ? folded.trimStart() : folded;
    this.gapStart = end;
  }

  private space(): void {
    if (this.text !== '' && !this.text.endsWith(' ')) this.text += ' ';
  }

  private lineBreak(end: number): void {
    this.begin();
    this.endLine();
    this.gapStart = end;
  }

  /** Starts a line here unless one is open; pending blank lines come first. */
  private begin(): void {
    if (this.line) return;
    const { quoteDepth, marks: inside } = this.open.at(-1)!;
    const at = { start: this.marks.length > 0 ? this.marksStart : this.gapStart, quoteDepth, inside };
    if (this.blanks > 0 && this.lines.length > 0) this.lines.push({ ...at, text: '', marks: [] });
    this.blanks = 0;
    this.line = { ...at, marks: this.marks };
    this.marks = [];
  }

  private endLine(): void {
    if (!this.line) return;
    this.lines.push({ ...this.line, text: this.text.replaceAll('\u00a0', ' ').trimEnd() });
    this.line = null;
    this.text = '';
  }

  private breakLine(blanks: number): void {
    this.endLine();
    this.blanks = Math.max(this.blanks, blanks);
  }
}

const BULLET = '- ';

function marksOf(html: string, token: HtmlToken): string[] {
  const marks: string[] = [];
  if (token.end - token.start === token.name.length + 2) return marks;
  for (const { name, value } of attributesOf(html, token)) {
    if (name === 'class') marks.push(...value.split(' '));
    if (name === 'type' && value === 'cite') marks.push('cite');
    if (name === 'style' && /(?:^|;)border-top:solid /.test(value)) marks.push('border-top');
  }
  return marks;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Decodes the four entities that sanitized HTML contains. */
export function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity]!);
}
