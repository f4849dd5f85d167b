import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { blockRemote } from '#shared/domain/platform/html/remote.ts';

/** Whether the HTML of a mail may load external images, which tell their host who reads it, when and where. */
export const imageChoices = ['blocked', 'direct'] as const;
export type ImageChoice = (typeof imageChoices)[number];

function withoutRemote(body: ParsedBody): ParsedBody {
  const blocked = (html: string | null) => html && blockRemote(html);
  return {
    ...body,
    sanitized_html: blocked(body.sanitized_html),
    new_html: blocked(body.new_html),
    quoted_html: blocked(body.quoted_html),
  };
}

/** The body with images as chosen. */
export const withImages = (body: ParsedBody, images: ImageChoice): ParsedBody =>
  images === 'direct' ? body : withoutRemote(body);
