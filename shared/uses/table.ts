import { tableSchema } from '#shared/table/schema.ts';
import type { Deployment, Kind } from './kind.ts';

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
/** Transactions need no action of their own: IAM checks each of their writes as its own action. */
const WRITE = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

/** Only for what belongs to all accounts at once: it reads all of them. */
const SCAN = ['dynamodb:Scan'];

export function tableArn({ arn, names }: Deployment): string {
  return arn({ service: 'dynamodb', resource: 'table', resourceName: names.table });
}

export const table = {
  modes: ['read', 'write', 'scan'],
  includes: { write: 'read', scan: 'write' },
  grants(modes, deployment) {
    const arn = tableArn(deployment);
    const writes = modes.has('write') || modes.has('scan') ? WRITE : [];
    return [
      { actions: [...READ, ...writes, ...(modes.has('scan') ? SCAN : [])], resources: [arn] },
      {
        actions: ['dynamodb:Query'],
        resources: Object.keys(tableSchema.indexes).map((index) => `${arn}/index/${index}`),
      },
    ];
  },
  wildcards: { dynamodb: 'The streams of one table: only a list of streams reads more than one.' },
  variables: (_, { names }) => ({ TABLE_NAME: names.table }),
  endpoint: 'DYNAMODB_ENDPOINT',
} as const satisfies Kind;
