import { objectKeys } from '#shared/providers/files/bucket.ts';
import type { Kind } from './kind.ts';

/** A pattern for each kind of object key: `uploads/*`, `mail/*` and so on. */
function objectPatterns(): string[] {
  const makers = Object.values(objectKeys) as ((...ids: string[]) => string)[];
  return [...new Set(makers.map((key) => `${key('x', 'x').split('/')[0]}/*`))];
}

export const bucket = {
  modes: ['read', 'write'],
  includes: { write: 'read' },
  grants(modes, { arn, names }) {
    const bucket = arn({ service: 's3', region: '', account: '', resource: names.bucket });
    return [
      {
        actions: modes.has('write') ? ['s3:GetObject', 's3:PutObject'] : ['s3:GetObject'],
        resources: objectPatterns().map((pattern) => `${bucket}/${pattern}`),
      },
      // Without it S3 returns 403, not 404, for a missing object:
      // https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
      { actions: ['s3:ListBucket'], resources: [bucket] },
    ];
  },
  wildcards: { s3: 'The objects of one prefix: their names are ids, which nobody knows before.' },
  variables: (_, { names }) => ({ BUCKET_NAME: names.bucket }),
  endpoint: 'S3_ENDPOINT',
  libraries: { '@aws-sdk/client-s3': { bytes: 200_000, reason: 'stores and signs objects' } },
} as const satisfies Kind;
