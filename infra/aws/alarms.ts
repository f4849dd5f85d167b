import { Duration, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type QueueName, queues } from '#shared/queues/queues.ts';
import { gatewayMetrics, lambdaMetrics, tableMetrics } from './metrics.ts';
import { type Names, pascal } from './names.ts';
import type { QueuePair } from './queues.ts';
import type { Stage } from './stage.ts';

/** What wakes somebody up. What to do then is in docs/operations.md, by the name of the alarm. */

/** Answers with a 5xx status: this many in five minutes, and this part (in percent) of all requests. */
const SERVER_ERRORS = 5;
const SERVER_ERROR_PERCENT = 1;
/** Milliseconds within which 95 of 100 answers leave the gateway. */
const LATENCY_P95 = 2_000;
/** Failed runs of one background function in fifteen minutes. */
const JOB_ERRORS = 3;
/** Crashes and timeouts of all functions in five minutes. */
const FUNCTION_ERRORS = 10;
/** Seconds that a message may wait, where one batch does not take longer anyway. */
const MESSAGE_AGE = 900;

export interface Watched {
  stage: Stage;
  names: Names;
  api: SpecRestApi;
  queues: Map<QueueName, QueuePair>;
  jobs: LambdaFunction[];
}

interface Watch {
  id: string;
  description: string;
  metric: IMetric;
  /** The alarm is raised from this value on. */
  from: number;
  /** Periods of the metric in a row. */
  periods?: number;
}

/** Alarms may publish, and nobody without TLS. The texts name resources and numbers, never customers' data. */
function addTopic(scope: Construct, { stage, names }: Watched): Topic {
  const topic = new Topic(scope, 'Alarms', {
    topicName: `${names.operation_prefix}alarms`,
    displayName: `Workspace API ${stage.name}`,
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsPublish',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (stage.alarms_email) topic.addSubscription(new EmailSubscription(stage.alarms_email));
  return topic;
}

function queueWatches(pairs: Map<QueueName, QueuePair>): Watch[] {
  return [...pairs].flatMap(([name, { queue, dead_letters }]) => [
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
      from: Math.max(MESSAGE_AGE, 2 * queues[name].timeout),
      periods: 3,
    },
  ]);
}

function gatewayWatches(api: SpecRestApi): Watch[] {
  const { requests, server_errors, latency } = gatewayMetrics(api);
  return [
    {
      id: 'ServerErrors',
      description: 'The API answers with 5xx.',
      metric: new MathExpression({
        expression: `IF(errors >= ${SERVER_ERRORS}, 100 * errors / requests, 0)`,
        label: 'Percent of requests',
        usingMetrics: { errors: server_errors, requests },
      }),
      from: SERVER_ERROR_PERCENT,
    },
    {
      id: 'Latency',
      description: 'Five of a hundred answers take too long (milliseconds).',
      metric: latency(95),
      from: LATENCY_P95,
      periods: 3,
    },
  ];
}

function functionWatches(jobs: LambdaFunction[]): Watch[] {
  return [
    {
      id: 'FunctionErrors',
      description: 'Functions crash or run out of time (all functions of the account and region).',
      metric: lambdaMetrics.errors,
      from: FUNCTION_ERRORS,
    },
    {
      id: 'FunctionThrottles',
      description: 'The limit of concurrent executions is reached (account and region).',
      metric: lambdaMetrics.throttles,
      from: 1,
      periods: 2,
    },
    ...jobs.map((job) => ({
      id: `${job.node.id}Errors`,
      description: 'A background function fails again and again.',
      metric: job.metricErrors({ period: Duration.minutes(15) }),
      from: JOB_ERRORS,
    })),
  ];
}

function tableWatches(table: string): Watch[] {
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

export function addAlarms(scope: Construct, watched: Watched): Topic {
  const topic = addTopic(scope, watched);
  const action = new SnsAction(topic);
  const watches = [
    ...queueWatches(watched.queues),
    ...gatewayWatches(watched.api),
    ...functionWatches(watched.jobs),
    ...tableWatches(watched.names.table),
  ];
  for (const { id, description, metric, from, periods = 1 } of watches) {
    const alarm = new Alarm(scope, `${id}Alarm`, {
      alarmName: `${watched.names.operation_prefix}${id}`,
      alarmDescription: description,
      metric,
      threshold: from,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
  return topic;
}
