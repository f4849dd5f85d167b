import { Aws, type Stack } from 'aws-cdk-lib';
import { objectKeys } from '#shared/providers/files/bucket.ts';
import { tableSchema } from '#shared/table/schema.ts';
import { modelGrants } from './assistant.ts';
import type { Names } from './names.ts';
import type { Places } from './permissions.ts';
import type { Stage } from './stage.ts';

/** `uploads/*`, `mail/*` and so on: every kind of object that a key is made for. */
function objectPatterns(): string[] {
  const makers = Object.values(objectKeys) as ((...ids: string[]) => string)[];
  return [...new Set(makers.map((key) => `${key('x', 'x').split('/')[0]}/*`))];
}

/** The ARNs of what functions use, from final names: a reference to another stack would be an export of that stack. */
export function placesOf(stack: Stack, stage: Stage, names: Names): Places {
  const table = stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: names.table });
  const bucket = `arn:${Aws.PARTITION}:s3:::${names.bucket}`;
  return {
    table,
    indexes: Object.keys(tableSchema.indexes).map((index) => `${table}/index/${index}`),
    bucket,
    objects: objectPatterns().map((pattern) => `${bucket}/${pattern}`),
    queue: (name) => stack.formatArn({ service: 'sqs', resource: names.job(name) }),
    model: modelGrants(stage.assistant, stack),
  };
}
