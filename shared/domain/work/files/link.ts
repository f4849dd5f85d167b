import { create as contentDisposition } from 'content-disposition';
import type { Context } from '#shared/context.ts';
import { objectKeys } from '#shared/providers/files/bucket.ts';
import { presignGet } from '#shared/providers/files/presign.ts';
import type { File } from './file.ts';

/** Links to the bytes of files, which go straight from the bucket to the client. */

/** Seconds. Whoever has a link can use it, also after access has ended. */
export const LINK_SECONDS = { presigned_url: 300, redirect: 60 };

/** What a link needs to know of a file, or of an attachment with it. */
export interface Downloadable {
  account_id: string;
  file_id: string;
  file_name: string;
  content_type: string;
  size: number;
}

/** Raster images run no script. What else a stranger claims is not repeated: the bytes are only to be saved. */
const SHOWN = /^image\/(?:png|jpeg|jpg|pjpeg|gif|webp|avif|apng|bmp|heic|heif|tiff)$/;

const servedType = (claimed: string) => (SHOWN.test(claimed) ? claimed : 'application/octet-stream');

/** Browsers show an `attachment` inside `<img>`, and save it everywhere else (RFC 6266, 4.2). */
export function linkTo(
  ctx: Context,
  { account_id, file_id, file_name, content_type }: Downloadable,
  seconds: number,
): Promise<string> {
  return presignGet(ctx, objectKeys.file(account_id, file_id), {
    at: ctx.now,
    seconds,
    content_type: servedType(content_type),
    content_disposition: contentDisposition(file_name.toWellFormed()),
    cache_control: 'private, no-store',
  });
}

/** A file by itself, as opposed to one of its attachments. */
export const downloadOf = ({ id, account_id, name, file_name, content_type, size }: File): Downloadable => ({
  ...{ account_id, file_id: id, file_name: file_name ?? name },
  ...{ content_type: content_type ?? 'application/octet-stream', size: size ?? 0 },
});
