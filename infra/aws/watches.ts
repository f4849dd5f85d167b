import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Watch } from './alarms.ts';
import { gatewayMetrics, lambdaMetrics, tableMetrics, writtenErrors } from './metrics.ts';
import { pascal } from './names.ts';
import type { QueuePair, Scheduled } from './queues.ts';
import { ageOf, type Streamed } from './streams.ts';

/** The alarms' metrics and thresholds. */

/** Responses with a 5xx status: this many in five minutes, and this percentage of all requests. */
const SERVER_ERRORS = 5;
const SERVER_ERROR_PERCENT = 1;
/** Milliseconds of the 95th percentile of responses. */
const LATENCY_P95 = 2_000;
/** Failed runs of one background function in fifteen minutes. */
const WORKER_ERRORS = 3;
/** Crashes and timeouts of the functions behind the gateway in five minutes. */
const FUNCTION_ERRORS = 10;
/** Minutes and periods without a run until a schedule counts as stopped. */
const SCHEDULE_MINUTES = 5;
const SCHEDULE_PERIODS = 2;
/** Seconds that a message may wait, unless one batch takes longer. */
const MESSAGE_AGE = 900;

export function queueWatches(pairs: QueuePair[]): Watch[] {
  return pairs.flatMap(({ name, settings, queue, dead_letters }) => [
    {
      id: `${pascal(name)}DeadLetters`,
      description: `Messages of ${name} failed too often and lie in the dead-letter queue.`,
      metric: dead_letters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
      from: 1,
    },
    {
      id: `${pascal(name)}Age`,
      description: `The queue ${name} is not worked off fast enough.`,
      metric: queue.metricApproximateAgeOfOldestMessage(),
      from: Math.max(MESSAGE_AGE, 2 * settings.timeout),
      periods: 3,
    },
  ]);
}

/**
 * A function that crashes, runs out of time or is not started writes no response, so the gateway responds 5xx. Lambda's
 * own metrics cannot tell: they are of one function or of the whole account, and an alarm takes no search
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html).
 */
function functionErrors(errors: IMetric, written: IMetric): IMetric {
  return new MathExpression({
    expression: 'errors - FILL(written, 0)',
    label: 'Responses that no function wrote',
    usingMetrics: { errors, written },
  });
}

export function gatewayWatches(api: SpecRestApi, stage: string): Watch[] {
  const { requests, server_errors, latency } = gatewayMetrics(api);
  const written = writtenErrors(stage);
  return [
    {
      id: 'ServerErrors',
      description: 'The API responds with 5xx.',
      metric: new MathExpression({
        expression: `IF(errors >= ${SERVER_ERRORS}, 100 * errors / requests, 0)`,
        label: 'Percent of requests',
        usingMetrics: { errors: server_errors, requests },
      }),
      from: SERVER_ERROR_PERCENT,
    },
    {
      id: 'Latency',
      description: 'Five of a hundred responses take too long (milliseconds).',
      metric: latency(95),
      from: LATENCY_P95,
      periods: 3,
    },
    {
      id: 'FunctionErrors',
      description: 'Functions behind the gateway crash or run out of time.',
      metric: functionErrors(server_errors, written),
      from: FUNCTION_ERRORS,
    },
  ];
}

export function workerWatches(workers: LambdaFunction[]): Watch[] {
  return workers.map((worker) => ({
    id: `${worker.node.id}Errors`,
    description: 'A background function fails again and again.',
    metric: worker.metricErrors({ period: Duration.minutes(15) }),
    from: WORKER_ERRORS,
  }));
}

/** A schedule that has stopped makes no errors: its runs are missing. */
export function scheduleWatches(scheduled: Scheduled[]): Watch[] {
  return scheduled.map(({ worker, schedule }) => ({
    id: `${worker.node.id}Stopped`,
    description: 'A scheduled function is not called any more.',
    metric: worker.metricInvocations({
      period: Duration.minutes(Math.max(SCHEDULE_MINUTES, schedule.every_minutes)),
    }),
    below: 1,
    periods: SCHEDULE_PERIODS,
  }));
}

/** Late news is as good as none, and is dropped. */
export function streamWatches(streamed: Streamed[]): Watch[] {
  return streamed.map((each) => ({
    id: `${each.worker.node.id}Age`,
    description: 'A worker of the stream is behind: what changes is told late or not at all (milliseconds).',
    metric: ageOf(each),
    from: (each.settings.lasting / 2) * 1_000,
    periods: 5,
  }));
}

/** Of all functions of the account and region, which share one limit. */
export const accountWatches: Watch[] = [
  {
    id: 'FunctionThrottles',
    description: 'The limit of concurrent executions is reached (account and region).',
    metric: lambdaMetrics.throttles,
    from: 1,
    periods: 2,
  },
];

export function tableWatches(table: string): Watch[] {
  const { throttled, failed } = tableMetrics(table);
  return [
    {
      id: 'TableThrottled',
      description: 'DynamoDB refuses requests.',
      metric: throttled,
      from: 1,
      periods: 2,
    },
    { id: 'TableErrors', description: 'DynamoDB fails.', metric: failed, from: 5 },
  ];
}
