import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { ApiError } from '#shared/errors.ts';
import { clientOptions, type Services } from '#shared/services.ts';

/** The bucket: uploads, raw mail, large bodies, files, pictures of users and exports. Every key is built here. */
export const objectKeys = {
  upload: (upload: string) => `uploads/${upload}`,
  rawMail: (account: string, message: string) => `mail/${account}/${message}.eml.gz`,
  body: (account: string, message: string) => `bodies/${account}/${message}.json.gz`,
  file: (account: string, file: string) => `files/${account}/${file}`,
  avatar: (account: string, id: string) => `avatars/${account}/${id}`,
  export: (account: string, id: string) => `exports/${account}/${id}`,
};

export interface Bucket {
  /** Bytes of the object; undefined when it does not exist. */
  size(key: string): Promise<number | undefined>;
  /** Streams bytes from `start` to before `end`. */
  read(key: string, start: number, end: number): AsyncGenerator<Uint8Array>;
  get(key: string): Promise<Uint8Array>;
  put(key: string, bytes: Uint8Array, content_type: string): Promise<void>;
  /** False when there is no such object. The bytes do not pass through here. */
  copy(from: string, to: string): Promise<boolean>;
  delete(key: string): Promise<void>;
}

const clients = new Map<string, S3Client>();

/** One client for each endpoint, created on first use. */
export function clientFor(services: Services): S3Client {
  const endpoint = services.config.s3_endpoint;
  let client = clients.get(endpoint ?? '');
  if (!client) {
    client = new S3Client({
      ...clientOptions(endpoint),
      ...(endpoint ? { forcePathStyle: true } : {}),
      // Optional checksums would be part of the presigned URL, and clients would have to compute them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    clients.set(endpoint ?? '', client);
  }
  return client;
}

/** 502 `storage_unavailable` for every error of S3 except a missing object. */
export async function available<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw new ApiError('storage_unavailable', { cause });
  }
}

/** 403 where the caller may not list the bucket, as in the cloud, 404 where it may. */
function missing(error: unknown): undefined {
  if (error instanceof S3ServiceException && [403, 404].includes(error.$metadata.httpStatusCode ?? 0))
    return undefined;
  throw error;
}

export function bucketOf(services: Services): Bucket {
  const client = clientFor(services);
  const Bucket = services.config.bucket_name;
  const get = async (Key: string, Range?: string) => {
    const { Body } = await available(client.send(new GetObjectCommand({ Bucket, Key, Range })));
    if (!Body) throw new ApiError('storage_unavailable');
    return Body;
  };
  return {
    size: async (Key) => {
      const head = await available(client.send(new HeadObjectCommand({ Bucket, Key })).catch(missing));
      return head && (head.ContentLength ?? 0);
    },
    async *read(Key, start, end) {
      if (end <= start) return;
      yield* (await get(Key, `bytes=${start}-${end - 1}`)) as AsyncIterable<Uint8Array>;
    },
    get: async (Key) => (await get(Key)).transformToByteArray(),
    put: async (Key, Body, ContentType) => {
      await available(client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType })));
    },
    copy: async (from, Key) => {
      const CopySource = `${Bucket}/${from}`;
      const copied = await available(
        client.send(new CopyObjectCommand({ Bucket, Key, CopySource })).catch(missing),
      );
      return copied !== undefined;
    },
    delete: async (Key) => {
      await available(client.send(new DeleteObjectCommand({ Bucket, Key })));
    },
  };
}
