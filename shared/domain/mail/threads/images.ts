import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { blockRemote } from '#shared/domain/platform/html/remote.ts';

/** Whether the HTML of a mail may load external images, which tell their host who reads it, when and where. */
export const imageChoices = ['blocked', 'direct'] as const;
export type ImageChoice = (typeof imageChoices)[number];

/** HTML with images as chosen. */
export const htmlWithImages = (html: string | null, images: ImageChoice = 'blocked'): string | null =>
  images === 'direct' ? html : html && blockRemote(html);

/** The body with images as chosen. */
export const withImages = (body: ParsedBody, images: ImageChoice): ParsedBody => ({
  ...body,
  sanitized_html: htmlWithImages(body.sanitized_html, images),
  new_html: htmlWithImages(body.new_html, images),
  quoted_html: htmlWithImages(body.quoted_html, images),
});
