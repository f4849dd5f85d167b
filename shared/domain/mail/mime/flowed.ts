/**
 * Text with `format=flowed` (RFC 3676, 4) as its writer saw it: a line that ends in a space goes on in the next line,
 * but only where both are quoted equally deep (4.5). Quoted lines keep their marks, once for each joined line.
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

/** Programs that write `> > text` mean a mark with the second one, so such a line begins anew. */
function goesOn(before: Line, line: Line): boolean {
  return (
    before.flowed && before.depth === line.depth && line.text !== SIGNATURE && !line.text.startsWith('>')
  );
}

function marked(depth: number, text: string): string {
  return depth === 0 ? text : `${'>'.repeat(depth)} ${text}`.trimEnd();
}
