/** What is sent of a comment that was written as plain text. */

export interface Colleague {
  id: string;
  name: string;
}

type Inline =
  | { type: 'text'; text: string }
  | { type: 'hardBreak' }
  | { type: 'mention'; attrs: { id: string; label: string } };

const ASSISTANT: Colleague = { id: 'assistant', name: 'assistant' };

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const LETTER = /[\p{L}\p{N}]/u;

/** The colleague whom `@Name` at this place means: the longest name that ends there. */
function mentionedAt(line: string, at: number, known: Colleague[]): Colleague | undefined {
  if (line[at] !== '@' || (at > 0 && LETTER.test(line[at - 1] ?? ''))) return undefined;
  const rest = line.slice(at + 1).toLowerCase();
  return known.find(
    ({ name }) => rest.startsWith(name.toLowerCase()) && !LETTER.test(rest[name.length] ?? ''),
  );
}

/** Divides a line at mentions. */
function inlinesOf(line: string, colleagues: Colleague[]): Inline[] {
  const known = [ASSISTANT, ...colleagues].filter(({ name }) => name !== '');
  known.sort((a, b) => b.name.length - a.name.length);
  const found: Inline[] = [];
  let text = '';
  for (let at = 0; at < line.length; ) {
    const one = mentionedAt(line, at, known);
    if (one) {
      if (text) found.push({ type: 'text', text });
      text = '';
      found.push({ type: 'mention', attrs: { id: one.id, label: one.name } });
    } else text += line[at];
    at += one ? one.name.length + 1 : 1;
  }
  return text ? [...found, { type: 'text', text }] : found;
}

const htmlOf = (inline: Inline) => {
  if (inline.type === 'hardBreak') return '<br>';
  return escaped(inline.type === 'text' ? inline.text : `@${inline.attrs.label}`);
};

/** The HTML that is shown and the document that mentions are read from (docs/specification/comments.md). */
export function commentContent(text: string, colleagues: Colleague[]) {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph.split('\n').flatMap<Inline>((line, i) => {
        const inlines = inlinesOf(line, colleagues);
        return i === 0 ? inlines : [{ type: 'hardBreak' }, ...inlines];
      }),
    );
  return {
    html_content: paragraphs.map((inlines) => `<p>${inlines.map(htmlOf).join('')}</p>`).join(''),
    json_content: JSON.stringify({
      type: 'doc',
      content: paragraphs.map((content) => ({ type: 'paragraph', content })),
    }),
  };
}
