import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  MAX_RECEIVES,
  type Queue as QueueSettings,
  type Schedule,
  type Worker,
} from '#shared/queues/queues.ts';
import type { Grant } from '#shared/uses/kind.ts';
import type { Use } from '#shared/uses/kinds.ts';
import { entryName, workerFile } from './entries.ts';
import { type Names, pascal } from './names.ts';
import { addFunction, addRole, type LogGroups, type Surroundings, variablesFor } from './operation.ts';
import { grantsFor } from './permissions.ts';
import { normalizeUses } from './uses.ts';

/** Background work: queues with dead-letter queues, their workers, and schedules. */

export interface QueuePair {
  name: string;
  settings: QueueSettings;
  queue: Queue;
  dead_letters: Queue;
}

/** Times the function's timeout: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
const VISIBILITY_FACTOR = 6;
/** The maximum of SQS: time to find a fault, deploy a fix and redrive the dead letters. */
const DEAD_LETTER_DAYS = 14;

function addQueue(scope: Construct, names: Names, name: string, settings: QueueSettings): QueuePair {
  const id = pascal(name);
  const stack = Stack.of(scope);
  // By its ARN: queue and dead-letter queue would otherwise depend on each other.
  const source = Queue.fromQueueArn(
    scope,
    `${id}Source`,
    stack.formatArn({ service: 'sqs', resource: names.job(name) }),
  );
  const dead_letters = new Queue(scope, `${id}DeadLetters`, {
    queueName: names.dead_letters(name),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
    redriveAllowPolicy: { redrivePermission: RedrivePermission.BY_QUEUE, sourceQueues: [source] },
  });
  const queue = new Queue(scope, `${id}Queue`, {
    queueName: names.job(name),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * settings.timeout),
    retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
    deadLetterQueue: { queue: dead_letters, maxReceiveCount: MAX_RECEIVES },
  });
  return { name, settings, queue, dead_letters };
}

export function addQueues(
  scope: Construct,
  names: Names,
  queues: Record<string, QueueSettings>,
): QueuePair[] {
  return Object.entries(queues).map(([name, settings]) => addQueue(scope, names, name, settings));
}

/** A function with its own role, which permits its uses and `more`. */
export function addWorker(
  scope: Construct,
  name: string,
  { timeout, memory, uses }: Worker,
  description: string,
  more: Grant[],
  logs: LogGroups,
  around: Surroundings,
): LambdaFunction {
  const id = pascal(name);
  const normal = normalizeUses(uses as readonly Use[], around.kinds);
  const family = `jobs-${name}`;
  const grants = [...grantsFor(normal, 'job', around), ...more];
  const role = addRole(scope, `${id}Role`, grants, [logs.of(family)], around.kinds);
  const plan = {
    id,
    name: around.names.job(name),
    family,
    entry: entryName(workerFile(name)),
    description,
    uses: normal,
    access: 'job' as const,
    handler: 'handler' as const,
    memory,
    timeout: Duration.seconds(timeout),
    environment: variablesFor(normal, 'job', around),
  };
  return addFunction(scope, plan, role, logs.of(family), around);
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html#events-sqs-permissions */
const receiving = ({ settings, queue }: QueuePair): Grant => ({
  actions: [
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    // The consumer decides when a failed message returns.
    ...(settings.waits ? ['sqs:ChangeMessageVisibility'] : []),
  ],
  resources: [queue.queueArn],
});

/** The minimum of Lambda. */
const MIN_CONCURRENCY = 2;

export function addConsumers(
  scope: Construct,
  pairs: QueuePair[],
  logs: LogGroups,
  around: Surroundings,
): LambdaFunction[] {
  return pairs.map((pair) => {
    const { name, settings, queue } = pair;
    const description = `Works off the queue ${name}`;
    const consumer = addWorker(scope, name, settings, description, [receiving(pair)], logs, around);
    consumer.addEventSource(
      new SqsEventSource(queue, {
        batchSize: settings.batch_size,
        maxConcurrency: Math.max(MIN_CONCURRENCY, settings.concurrency),
        reportBatchItemFailures: true,
      }),
    );
    return consumer;
  });
}

export interface Scheduled {
  worker: LambdaFunction;
  schedule: Schedule;
}

/**
 * EventBridge Scheduler calls with a role, so a function needs no permission. A failed run is not retried: the next one
 * follows.
 */
export function addSchedules(
  scope: Construct,
  schedules: Record<string, Schedule>,
  logs: LogGroups,
  around: Surroundings,
): Scheduled[] {
  return Object.entries(schedules).map(([name, schedule]) => {
    const { every_minutes } = schedule;
    const unit = every_minutes === 1 ? 'minute' : 'minutes';
    const description = `Every ${every_minutes} ${unit}: ${name}`;
    const target = addWorker(scope, name, schedule, description, [], logs, around);
    target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    const role = new Role(scope, `${pascal(name)}ScheduleRole`, {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
      }),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target.functionArn] }),
          ],
        }),
      },
    });
    new CfnSchedule(scope, `${pascal(name)}Schedule`, {
      description: `Runs ${target.functionName}`,
      scheduleExpression: `rate(${every_minutes} ${unit})`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: { arn: target.functionArn, roleArn: role.roleArn, retryPolicy: { maximumRetryAttempts: 0 } },
    });
    return { worker: target, schedule };
  });
}
