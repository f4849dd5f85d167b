import * as z from 'zod';
import type { Context } from '#shared/context.ts';
import { timestamp } from '#shared/values.ts';
import { type Downloadable, LINK_SECONDS, linkTo } from './link.ts';

/** A link that clients keep for some minutes. */

export const presignedUrlSchema = z
  .strictObject({
    url: z.string().meta({
      format: 'uri',
      description:
        'Takes one GET after another, without a key, until `expires_at`. It is a secret: do not store it',
      example: 'https://bucket.s3.eu-central-1.amazonaws.com/files/...?X-Amz-Signature=...',
    }),
    expires_at: timestamp,
    file_name: z.string(),
    content_type: z.string().meta({
      description:
        'As the sender of the mail claims. The URL serves raster images as such, and everything else as application/octet-stream',
    }),
    size: z.int().meta({ description: 'Bytes' }),
  })
  .meta({ id: 'PresignedUrl' });

export async function presignedUrl(
  ctx: Context,
  file: Downloadable,
): Promise<z.input<typeof presignedUrlSchema>> {
  const seconds = LINK_SECONDS.presigned_url;
  const { file_name, content_type, size } = file;
  const expires_at = new Date(ctx.now.getTime() + seconds * 1_000).toISOString();
  return { url: await linkTo(ctx, file, seconds), expires_at, file_name, content_type, size };
}
