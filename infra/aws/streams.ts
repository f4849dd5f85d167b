import { Duration } from 'aws-cdk-lib';
import { CfnEventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Stream, StreamFilter } from '#shared/queues/queues.ts';
import type { Grant } from '#shared/uses/kind.ts';
import { tableArn } from '#shared/uses/table.ts';
import { pascal } from './names.ts';
import type { LogGroups, Surroundings } from './operation.ts';
import { publishedValue } from './parameters.ts';
import { addWorker } from './queues.ts';

/** Workers of the table's stream. */

const begins = (prefixes: readonly string[]) => ({ S: prefixes.map((prefix) => ({ prefix })) });

/** https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html */
export const patternOf = ({ partitions, sorts, removals }: StreamFilter) =>
  JSON.stringify({
    ...(removals ? { eventName: ['REMOVE'] } : {}),
    dynamodb: { Keys: { PK: begins(partitions), ...(sorts ? { SK: begins(sorts) } : {}) } },
  });

/** https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html#events-dynamodb-permissions */
const reading = (stream: string, { deployment }: Surroundings): Grant[] => [
  {
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    resources: [stream],
  },
  { actions: ['dynamodb:ListStreams'], resources: [`${tableArn(deployment)}/stream/*`] },
];

/** Runs of one batch after the first: what fails is halved, so that one bad change delays no others. */
const RETRIES = 3;

export interface Streamed {
  worker: LambdaFunction;
  settings: Stream;
}

export function addStreamWorkers(
  scope: Construct,
  streams: Record<string, Stream>,
  logs: LogGroups,
  around: Surroundings,
): Streamed[] {
  return Object.entries(streams).map(([name, settings]) => {
    const stream = publishedValue(scope, around.names.table_stream);
    const description = `Follows the table: ${name}`;
    const worker = addWorker(scope, name, settings, description, reading(stream, around), logs, around);
    new CfnEventSourceMapping(scope, `${pascal(name)}Source`, {
      functionName: worker.functionName,
      eventSourceArn: stream,
      startingPosition: 'LATEST',
      batchSize: settings.batch_size,
      maximumBatchingWindowInSeconds: settings.window,
      maximumRecordAgeInSeconds: settings.lasting,
      maximumRetryAttempts: RETRIES,
      bisectBatchOnFunctionError: true,
      filterCriteria: { filters: settings.filters.map((filter) => ({ pattern: patternOf(filter) })) },
    });
    return { worker, settings };
  });
}

/** How far behind a worker is. */
export const ageOf = ({ worker }: Streamed) =>
  worker.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) });
