import { htmlLines, textOfLines } from './lines.ts';
import { sanitizeHtml } from './sanitize.ts';

/**
 * The text of any HTML: blocks on lines of their own, links by their text, no script and style. Safe and linear on
 * hostile input (it sanitizes first). No leading or trailing white space.
 */
export function htmlToText(html: string): string {
  return textOfLines(htmlLines(sanitizeHtml(html, 'mail')));
}
