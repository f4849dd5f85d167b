/** A line of a body for the quote search, from text or from HTML. */
export interface QuoteLine {
  text: string;
  /** By `>` or inside a blockquote. */
  quoted: boolean;
  /**
   * What the HTML tells about elements that begin here. `reply`: everything below is an earlier message. `headers`: a
   * header block in any language. `cite`: a quote begins here, perhaps with its attribution. `attribution`: this line
   * is one.
   */
  mark: 'reply' | 'headers' | 'cite' | 'attribution' | null;
  /** An hr element is right above. */
  ruled: boolean;
}

const MARK = /^\s{0,3}(?:[A-Z]{1,4})?>/;

/** True for a line of text that a mail program marked as quoted, by `>` or, as Supercite does, by initials (`AL>`). */
export function isQuotedText(line: string): boolean {
  return MARK.test(line);
}

export const isBlank = (line: QuoteLine | undefined) => line?.text.trim() === '';

/** The quoted lines from `at` on, at most `count`, as their writer saw them: without the outermost mark. */
export function insideQuote(lines: readonly QuoteLine[], at: number, count: number): QuoteLine[] {
  const inside: QuoteLine[] = [];
  for (let i = at; i < lines.length && i < at + count && lines[i]!.quoted; i++) {
    const text = lines[i]!.text.replace(MARK, '');
    inside.push({ text, quoted: isQuotedText(text), mark: null, ruled: lines[i]!.ruled });
  }
  return inside;
}

/** Characters of a line with its next word above which a mail program breaks it (RFC 3676, 4.2: 78 or fewer). */
const FULL = 70;

/**
 * True for an unmarked line between two quoted ones that a mail program broke off the first: the end of a sentence or
 * of a link in brackets, or a link in brackets.
 */
export function isBrokenOff(lines: readonly QuoteLine[], at: number): boolean {
  const { text, quoted } = lines[at]!;
  const above = lines[at - 1];
  if (quoted || !above?.quoted || !lines[at + 1]?.quoted || text.trim() === '') return false;
  const start = text.trim().slice(0, 200);
  if (endsInsideLink(above.text) && /^[^\s<>()]*[>)]/.test(start)) return true;
  if (/^[<(]https?:\/\/[^\s<>()]+[>)][\s>]*$/.test(start)) return true;
  const word = /^\p{Ll}\S*/u.exec(start)?.[0];
  return (
    word !== undefined &&
    above.text.length + 1 + word.length > FULL &&
    !/[.?!:;]\W*$/.test(above.text.slice(-5))
  );
}

function endsInsideLink(text: string): boolean {
  const open = Math.max(text.lastIndexOf('('), text.lastIndexOf('<'));
  return open !== -1 && /^.https?:\/\/[^\s>)]*$/.test(text.slice(open));
}
