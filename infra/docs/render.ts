import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';

/** Renders Markdown of this repository as HTML. */

/** The address that examples in Markdown use; on the page it becomes the page's own (browser/page.js). */
const BASE = 'http://127.0.0.1:3000';

/** As GitHub makes them, so that links work there too. */
const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-');

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface Source {
  /** Its path below docs/. */
  file: string;
  text: string;
  /** Where the page of another Markdown file is, seen from this one; undefined when it has none. */
  linkTo(file: string): string | undefined;
}

function linked(href: string, { file, linkTo }: Source): string {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const page = linkTo(posix.join(posix.dirname(file), path));
  if (page === undefined) throw new Error(`docs/${file} links to ${href}, which is no page`);
  return anchor ? `${page}#${anchor}` : page;
}

export function renderMarkdown(source: Source): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const id = slug(this.parser.parseInline(tokens, this.parser.textRenderer));
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(linked(href, source))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text }: Tokens.Code) {
        const shown = escapeHtml(text).replaceAll(BASE, `<span data-base>${BASE}</span>`);
        // Keyboards must reach what scrolls.
        return `<pre tabindex="0"><code>${shown}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const head = token.header.some(({ text }) => text !== '')
          ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
          : '';
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(source.text, { async: false });
}
