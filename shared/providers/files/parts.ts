import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ApiError } from '#shared/errors.ts';
import type { Services } from '#shared/services.ts';
import { available, clientFor } from './bucket.ts';

/**
 * Objects that are written in parts, one after the other: nobody sees them before they are complete. All parts but the
 * last have 5 MiB at least: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */

export const SMALLEST_PART = 5 * 1024 * 1024;

export interface Parts {
  begin(key: string, content_type: string): Promise<string>;
  /** The tag of the part; writing a part again replaces it. */
  put(key: string, upload: string, number: number, bytes: Uint8Array): Promise<string>;
  complete(key: string, upload: string, tags: string[]): Promise<void>;
}

export function partsOf(services: Services): Parts {
  const client = clientFor(services);
  const Bucket = services.config.bucket_name;
  return {
    begin: async (Key, ContentType) => {
      const command = new CreateMultipartUploadCommand({ Bucket, Key, ContentType });
      const { UploadId } = await available(client.send(command));
      if (!UploadId) throw new ApiError('storage_unavailable');
      return UploadId;
    },
    put: async (Key, UploadId, PartNumber, Body) => {
      const command = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body });
      const { ETag } = await available(client.send(command));
      if (!ETag) throw new ApiError('storage_unavailable');
      return ETag;
    },
    complete: async (Key, UploadId, tags) => {
      const Parts = tags.map((ETag, i) => ({ ETag, PartNumber: i + 1 }));
      const command = new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts },
      });
      await available(client.send(command));
    },
  };
}
