import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Services } from '#shared/services.ts';
import { available, clientFor } from './bucket.ts';

/** Signed URLs. In a file of their own, so that only the operations that give them bundle the signer. */

/** A URL that accepts exactly these headers for `seconds`. */
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

/** How the bytes are served: S3 takes these over what the object has, because they are signed. */
interface Served {
  at: Date;
  seconds: number;
  /** Of the object, unless it is said. */
  content_type?: string;
  content_disposition: string;
  cache_control: string;
}

/** A URL that gives the object from `at` on, for `seconds`. */
export function presignGet(services: Services, key: string, served: Served): Promise<string> {
  const command = new GetObjectCommand({
    Bucket: services.config.bucket_name,
    Key: key,
    ResponseContentType: served.content_type,
    ResponseContentDisposition: served.content_disposition,
    ResponseCacheControl: served.cache_control,
  });
  const signing = getSignedUrl(clientFor(services), command, {
    expiresIn: served.seconds,
    signingDate: served.at,
  });
  // Nothing is sent, but credentials may have to be loaded.
  return available(signing);
}
