import type { InlineImage } from './draft.ts';

/*
 * Message bodies are written as plain paragraphs with blank lines between them. Lines that start
 * with "- " are a list, "| " keeps its own line, "> " quotes, and "![name]" is an inline image.
 */

type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'lines' | 'list' | 'quote'; lines: string[] }
  | { kind: 'image'; cid: string };

function blocksOf(body: string): Block[] {
  return body
    .trim()
    .split(/\n\s*\n/)
    .map((chunk): Block => {
      const lines = chunk.split('\n').map((line) => line.trim());
      const image = /^!\[(.+)\]$/.exec(lines[0]!);
      if (image) return { kind: 'image', cid: image[1]! };
      if (lines[0]!.startsWith('- ')) return { kind: 'list', lines: items(lines) };
      if (lines[0]!.startsWith('> ')) return { kind: 'quote', lines: lines.map((line) => line.slice(2)) };
      if (lines[0]!.startsWith('| ')) return { kind: 'lines', lines: lines.map((line) => line.slice(2)) };
      return { kind: 'paragraph', text: lines.join(' ') };
    });
}

/** A list item may run over several lines. */
function items(lines: string[]): string[] {
  const all: string[] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) all.push(line.slice(2));
    else all.push(`${all.pop()} ${line}`);
  }
  return all;
}

function wrapped(text: string, first = '', rest = first): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    const spaced = line === first || line === rest ? line + word : `${line} ${word}`;
    if (spaced.length > 74 && line.trim() !== '') {
      lines.push(line);
      line = rest + word;
    } else {
      line = spaced;
    }
  }
  return [...lines, line].join('\n');
}

export function bodyText(body: string, images: readonly InlineImage[]): string {
  return blocksOf(body)
    .map((block) => {
      if (block.kind === 'paragraph') return wrapped(block.text);
      if (block.kind === 'image')
        return `[image: ${images.find((each) => each.cid === block.cid)?.alt ?? ''}]`;
      if (block.kind === 'list') return block.lines.map((item) => wrapped(item, '- ', '  ')).join('\n');
      return block.lines.map((line) => (block.kind === 'quote' ? `> ${line}` : line)).join('\n');
    })
    .join('\n\n');
}

interface BlockLook {
  paragraph(html: string): string;
  /** Stands between two blocks. */
  gap: string;
}

export function bodyHtml(body: string, images: readonly InlineImage[], look: BlockLook): string {
  return blocksOf(body)
    .map((block) => {
      if (block.kind === 'paragraph') return look.paragraph(inline(block.text));
      if (block.kind === 'image')
        return look.paragraph(imageHtml(images.find((each) => each.cid === block.cid)));
      if (block.kind === 'list')
        return `<ul>${block.lines.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
      const lines = block.lines.map(inline).join('<br>');
      return block.kind === 'lines' ? look.paragraph(lines) : `<blockquote type="cite">${lines}</blockquote>`;
    })
    .join(`${look.gap}\n`);
}

export function imageHtml(image: InlineImage | undefined): string {
  return image ? `<img src="cid:${image.cid}" alt="${escapeHtml(image.alt)}" width="${image.width}">` : '';
}

function inline(text: string): string {
  return escapeHtml(text)
    .replace(/\*([^*]+)\*/g, '<b>$1</b>')
    .replace(/https?:\/\/[^\s<]*[^\s<.,;:!?)]/g, '<a href="$&">$&</a>');
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
