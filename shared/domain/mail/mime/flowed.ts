/**
 * Text with `format=flowed` (RFC 3676, 4) as its writer saw it: a line that ends in a space continues in the next line,
 * but only when both have the same quote depth (4.5). Each joined line keeps its quote marks once.
 */
export function unflow(text: string, deleteSpace: boolean): string {
  const joined: string[] = [];
  let paragraph: Line | null = null;
  let pieces: string[] = [];
  const close = () => {
    if (paragraph) joined.push(marked(paragraph.depth, pieces.join('')));
    pieces = [];
  };
  for (const written of text.split(/\r\n|\r|\n/)) {
    const line = lineOf(written);
    if (!paragraph || !goesOn(paragraph, line)) close();
    paragraph = line;
    pieces.push(line.flowed && deleteSpace ? line.text.slice(0, -1) : line.text);
  }
  close();
  return joined.join('\n');
}

interface Line {
  depth: number;
  text: string;
  flowed: boolean;
}

const SIGNATURE = '-- ';

function lineOf(written: string): Line {
  const depth = /^>*/.exec(written)![0].length;
  const text = written.slice(written[depth] === ' ' ? depth + 1 : depth);
  return { depth, text, flowed: text.endsWith(' ') && text !== SIGNATURE };
}

/** In `> > text` some programs mean the second one as a mark too, so such a line starts a new one. */
function goesOn(before: Line, line: Line): boolean {
  return (
    before.flowed && before.depth === line.depth && line.text !== SIGNATURE && !line.text.startsWith('>')
  );
}

function marked(depth: number, text: string): string {
  return depth === 0 ? text : `${'>'.repeat(depth)} ${text}`.trimEnd();
}
