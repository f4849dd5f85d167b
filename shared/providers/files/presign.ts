import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Services } from '#shared/services.ts';
import { clientFor } from './bucket.ts';

/** A URL that accepts exactly these headers for `seconds`. In a file of its own, so that only uploads bundle it. */
export function presignPut(
  services: Services,
  key: string,
  headers: { content_type: string; size: number },
  seconds: number,
): Promise<string> {
  const command = new PutObjectCommand({
    Bucket: services.config.bucket_name,
    Key: key,
    ContentType: headers.content_type,
    ContentLength: headers.size,
  });
  const signableHeaders = new Set(['content-type', 'content-length', 'host']);
  return getSignedUrl(clientFor(services), command, { expiresIn: seconds, signableHeaders });
}
