import { act } from './act.ts';
import { type Body, call } from './api.ts';
import { button, h } from './dom.ts';
import { size } from './format.ts';

/** Files, by a link that works for some minutes. */

type Attachment = NonNullable<
  NonNullable<Body<'retrieveThread'>['thread']['messages']>[number]['attachments']
>[number];

function follow(url: string): void {
  if (/^https?:/.test(url)) h('a', { href: url, rel: 'noreferrer', download: true }).click();
}

export const downloadFile = (id: string) =>
  act('The download begins.', async () => {
    const { presigned_url } = await call<'createFilePresignedUrl'>('POST', `/files/${id}/presigned_urls`);
    follow(presigned_url.url);
  });

const downloadAttachment = (id: string) =>
  act('The download begins.', async () => {
    const { presigned_url } = await call<'createPresignedUrl'>('POST', `/attachments/${id}/presigned_urls`);
    follow(presigned_url.url);
  });

export function attachmentList(attachments: Attachment[] | null): HTMLElement | undefined {
  const shown = (attachments ?? []).filter(({ decorative }) => !decorative);
  if (shown.length === 0) return undefined;
  const entries = shown.map(({ id, file, content_type, size: bytes }) => {
    const name = file?.file_name ?? file?.name ?? content_type ?? 'Attachment';
    return h(
      'li',
      {},
      button(`${name}${bytes === null ? '' : ` (${size(bytes)})`}`, () => downloadAttachment(id)),
    );
  });
  return h('ul', { class: 'attachments', 'aria-label': 'Attachments' }, ...entries);
}
