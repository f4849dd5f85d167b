import { gunzipSync, gzipSync } from 'node:zlib';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { escapeHtml } from '#shared/domain/platform/outgoing-mail/plain.ts';
import type { Content, Draft } from './draft.ts';

/** The text of a draft: of text and HTML, the one that is not written follows from the other. */

export const nothingWritten: Content = { body: null, body_html: null };

const written = (text: string | null | undefined) => (text ? text : null);

const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n');

/** Without what HTML does not keep, spaces at the beginning of a line become hard ones. */
export function textToHtml(text: string): string {
  const lines = withLineFeeds(text).split('\n');
  return lines
    .map((line) => escapeHtml(line).replace(/^ +| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length)))
    .join('<br />');
}

/** HTML as it may be sent and shown. */
export const safeHtml = (html: string) => sanitizeHtml(html, 'mail');

/** Both forms of what was written. */
export function contentOf(sent: { [Name in keyof Content]?: string | null | undefined }): Content {
  const text = written(sent.body);
  const html = written(sent.body_html);
  if (text === null && html === null) return nothingWritten;
  const body_html = html === null ? textToHtml(text as string) : safeHtml(html);
  return { body: text === null ? htmlToText(body_html) : withLineFeeds(text), body_html };
}

export function pack(content: Content): Pick<Draft, 'packed'> {
  if (content.body === null && content.body_html === null) return {};
  return { packed: gzipSync(JSON.stringify(content)) };
}

export function unpack({ packed }: Pick<Draft, 'packed'>): Content {
  return packed ? (JSON.parse(gunzipSync(packed).toString('utf8')) as Content) : nothingWritten;
}
