import type { Access, Use } from '#shared/api/route.ts';
import type { QueueName } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';

/** What a function may do, from what its definition says it uses. Plain data, so that tests can compare it. */
export interface Grant {
  actions: string[];
  resources: string[];
  conditions?: Record<string, Record<string, unknown>>;
}

/** ARNs. */
export interface Places {
  table: string;
  indexes: string[];
  bucket: string;
  /** The objects of the bucket that functions handle, a pattern for each prefix. */
  objects: string[];
  queue: (name: QueueName) => string;
  /** The right to use the language model; none where it is not of AWS. */
  model: Grant[];
}

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
/** Transactions need no action of their own: each part of one is checked as the action that it is. */
const WRITE = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

/** What lies behind a partition key: `KEY#*` for `KEY#<hash>`. */
const partitions = (key: { PK: string }) => key.PK.replace(/#.*$/, '#*');

/**
 * Only keys that match; `Null` refuses requests without a key, which `ForAllValues` alone would allow:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
function onPartitions(patterns: string[]): NonNullable<Grant['conditions']> {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}

const credentials = partitions(keys.credential('x'));
const rates = partitions(keys.userRate('x', 0));
const accounts = partitions(keys.account('x'));

/** Authentication counts the request on its credential and its user, and reads user and account. */
function authentication(uses: ReadonlySet<Use>, { table }: Places): Grant[] {
  if (uses.has('table:write')) return [];
  const grants: Grant[] = [
    {
      actions: ['dynamodb:UpdateItem'],
      resources: [table],
      conditions: onPartitions([credentials, rates]),
    },
  ];
  if (!uses.has('table:read'))
    grants.push({
      actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
      resources: [table],
      conditions: onPartitions([rates, accounts]),
    });
  return grants;
}

function tableGrants(uses: ReadonlySet<Use>, { table, indexes }: Places): Grant[] {
  if (!uses.has('table:read') && !uses.has('table:write')) return [];
  const actions = uses.has('table:write') ? [...READ, ...WRITE] : READ;
  return [
    { actions, resources: [table] },
    { actions: ['dynamodb:Query'], resources: indexes },
  ];
}

function bucketGrants(uses: ReadonlySet<Use>, { bucket, objects }: Places): Grant[] {
  if (!uses.has('bucket:read') && !uses.has('bucket:write')) return [];
  return [
    {
      actions: uses.has('bucket:write') ? ['s3:GetObject', 's3:PutObject'] : ['s3:GetObject'],
      resources: objects,
    },
    // Without it S3 answers 403 and not 404 for an object that is not there:
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
    { actions: ['s3:ListBucket'], resources: [bucket] },
  ];
}

/** X-Ray takes no resource: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html */
const tracing: Grant = { actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] };

/** `access` is `job` for functions that no caller reaches. */
export function grantsFor(uses: readonly Use[], access: Access | 'job', places: Places): Grant[] {
  const used = new Set(uses);
  const queues = uses.filter((use) => use.startsWith('queue:')).map((use) => use.slice(6) as QueueName);
  return [
    ...tableGrants(used, places),
    ...(access === 'job' || access === 'public' ? [] : authentication(used, places)),
    ...bucketGrants(used, places),
    ...queues.map((queue) => ({ actions: ['sqs:SendMessage'], resources: [places.queue(queue)] })),
    ...(used.has('assistant') ? places.model : []),
    tracing,
  ];
}

/** Uses in one spelling: sorted, once, and without the reading that writing includes. */
export function normalizeUses(uses: readonly Use[]): Use[] {
  const used = new Set(uses);
  if (used.has('table:write')) used.delete('table:read');
  if (used.has('bucket:write')) used.delete('bucket:read');
  return [...used].sort();
}
