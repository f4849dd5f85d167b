import { attribution, headerBlock } from './attribution.ts';
import type { Draft, InlineImage } from './draft.ts';
import { looks } from './looks.ts';
import { bodyHtml, bodyText, escapeHtml, imageHtml } from './markup.ts';

function signatureOf(draft: Draft): readonly string[] {
  if (draft.signature === false) return [];
  return Array.isArray(draft.signature) ? draft.signature : draft.from.signature;
}

function quotedIn(draft: Draft): Draft | null {
  return draft.quote === false ? null : draft.parent;
}

/** The inline images of a message and of what it quotes. */
export function imagesOf(draft: Draft): InlineImage[] {
  const logo =
    draft.from.logo && draft.client !== 'plain' && signatureOf(draft).length > 0 ? [draft.from.logo] : [];
  const quoted = quotedIn(draft);
  const all = [...(draft.images ?? []), ...logo, ...(quoted ? imagesOf(quoted) : [])];
  return all.filter((image, index) => all.findIndex((each) => each.cid === image.cid) === index);
}

export function textOf(draft: Draft): string {
  const body = bodyText(draft.body, draft.images ?? []);
  const lines = signatureOf(draft);
  const mark = ['gmail', 'thunderbird', 'plain'].includes(draft.client) ? '-- \n' : '';
  const signature = lines.length > 0 ? `\n\n${mark}${lines.join('\n')}` : '';
  const quoted = quotedIn(draft);
  if (!quoted) return body + signature;
  const quote = quoteText(quoted, draft);
  return draft.bottom ? `${quote}\n\n${body}${signature}` : `${body}${signature}\n\n${quote}`;
}

function quoteText(quoted: Draft, by: Draft): string {
  const inner = textOf(quoted);
  const headers = headerBlock(quoted, by).map((line) => `${line.label}: ${line.value}`);
  if (by.link === 'forward') {
    const lines = headers.map((line) => line.replace(/^Sent:/, 'Date:'));
    return `---------- Forwarded message ---------\n${lines.join('\n')}\n\n\n${inner}`;
  }
  const below = (prefix: string) => inner.replace(/^(?=>)/gm, prefix.trim()).replace(/^(?!>)/gm, prefix);
  switch (by.client) {
    case 'outlook':
      return `${headers.join('\n')}\n\n${inner}`;
    case 'outlook-web':
      return `________________________________\n${headers.join('\n')}\n\n${inner}`;
    case 'yahoo':
      return inner.replace(/^/gm, '  ').replace(/^/, `    ${attribution(quoted, by)}  \n \n`);
    case 'apple':
      return `> ${attribution(quoted, by)}\n> \n${below('> ')}`;
    case 'gmail':
      return `${folded(attribution(quoted, by))}\n\n${below('> ')}`;
    default:
      return `${attribution(quoted, by)}\n${below('> ')}`;
  }
}

/** Gmail breaks the line above a quote before the address when it gets long. */
function folded(line: string): string {
  return line.length > 76 ? line.replace(' <', '\n<') : line;
}

/** The HTML of a message, or null when its author writes plain text only. */
export function htmlOf(draft: Draft): string | null {
  if (draft.html !== undefined) return draft.html;
  return draft.client === 'plain' ? null : looks[draft.client].page(fragment(draft));
}

/** The HTML of a message without the page around it, as in a quote. */
function fragment(draft: Draft): string {
  if (draft.html !== undefined) return draft.html;
  if (draft.client === 'plain')
    return `<pre class="moz-quote-pre" wrap="">${escapeHtml(textOf(draft))}</pre>`;
  const look = looks[draft.client];
  const body = bodyHtml(draft.body, draft.images ?? [], look);
  const lines = signatureOf(draft);
  const signature = lines.length > 0 ? look.signature(lines, imageHtml(draft.from.logo)) : '';
  const quoted = quotedIn(draft);
  const quote = quoted ? look.quote(quoted, fragment(quoted), draft) : '';
  return draft.bottom ? quote + body + signature : body + signature + quote;
}
