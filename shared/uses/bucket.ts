import { objectKeys } from '#shared/providers/files/bucket.ts';
import type { Kind } from './kind.ts';

/** What each mode may do, with objects of which kinds. */
const modes = {
  'write-uploads': { action: 's3:PutObject', objects: ['upload'] },
  'read-uploads': { action: 's3:GetObject', objects: ['upload'] },
  'write-mail': { action: 's3:PutObject', objects: ['rawMail', 'body', 'file'] },
  'read-mail': { action: 's3:GetObject', objects: ['rawMail'] },
  'read-bodies': { action: 's3:GetObject', objects: ['body'] },
  'read-files': { action: 's3:GetObject', objects: ['file'] },
  'write-files': { action: 's3:PutObject', objects: ['file'] },
  'read-avatars': { action: 's3:GetObject', objects: ['avatar'] },
  'write-avatars': { action: 's3:PutObject', objects: ['avatar'] },
  'write-exports': { action: 's3:PutObject', objects: ['export'] },
  // Whether an export is complete is asked with the same permission as its bytes.
  'read-exports': { action: 's3:GetObject', objects: ['export'] },
  'delete-uploads': { action: 's3:DeleteObject', objects: ['upload'] },
  'delete-avatars': { action: 's3:DeleteObject', objects: ['avatar'] },
  'delete-mail': { action: 's3:DeleteObject', objects: ['rawMail', 'body'] },
  'delete-files': { action: 's3:DeleteObject', objects: ['file'] },
  erase: { action: 's3:DeleteObject', objects: ['upload', 'rawMail', 'body', 'file', 'avatar', 'export'] },
} as const satisfies Record<string, { action: string; objects: readonly (keyof typeof objectKeys)[] }>;

/** `bodies/*` for large bodies of messages. */
function patternOf(object: keyof typeof objectKeys): string {
  const key: (...ids: [string, string]) => string = objectKeys[object];
  return `${key('x', 'x').split('/')[0]}/*`;
}

/**
 * No function but the one that erases accounts may list the bucket, so S3 responds 403 to one that asks for a missing object:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
 */
export const bucket = {
  modes: [
    'write-uploads',
    'read-uploads',
    'write-mail',
    'read-mail',
    'read-bodies',
    'read-files',
    'write-files',
    'read-avatars',
    'write-avatars',
    'write-exports',
    'read-exports',
    'delete-uploads',
    'delete-avatars',
    'delete-mail',
    'delete-files',
    'erase',
  ],
  grants(used, { arn, names }) {
    const bucket = arn({ service: 's3', region: '', account: '', resource: names.bucket });
    const listing = { actions: ['s3:ListBucket'], resources: [bucket] };
    const grants = Object.entries(modes).flatMap(([mode, { action, objects }]) =>
      used.has(mode)
        ? [{ actions: [action], resources: objects.map((object) => `${bucket}/${patternOf(object)}`) }]
        : [],
    );
    return used.has('erase') ? [...grants, listing] : grants;
  },
  wildcards: { s3: 'The objects of one prefix: their names are ids, which nobody knows before.' },
  variables: (_, { names }) => ({ BUCKET_NAME: names.bucket }),
  endpoint: 'S3_ENDPOINT',
  libraries: { '@aws-sdk/client-s3': { bytes: 200_000, reason: 'stores and signs objects' } },
} as const satisfies Kind;
