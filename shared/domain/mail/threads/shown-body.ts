import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { type ImageChoice, withImages } from './images.ts';

/** What a client asks of the bodies of messages. */

export const bodyChoices = ['text', 'html', 'none'] as const;

export interface ShownBodies {
  images?: ImageChoice | undefined;
  /** Everything when omitted. */
  body?: (typeof bodyChoices)[number] | undefined;
}

/** Mail without HTML keeps its text: there is nothing else of it to show. */
function chosen(body: ParsedBody, choice: ShownBodies['body']): ParsedBody {
  if (choice === 'text') return { ...body, sanitized_html: null, new_html: null, quoted_html: null };
  if (choice !== 'html' || body.source_format !== 'html') return body;
  return { ...body, new_plain_text: null, quoted_plain_text: null };
}

export const shownBody = (stored: ParsedBody, { images = 'blocked', body }: ShownBodies): ParsedBody =>
  withImages(chosen(stored, body), images);
