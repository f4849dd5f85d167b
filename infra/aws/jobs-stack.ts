import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Queue, Schedule, Stream } from '#shared/queues/queues.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import { addAlarms, alarmsTopic } from './alarms.ts';
import { addJobsDashboard } from './dashboards.ts';
import { deploymentOf } from './deployment.ts';
import { explain, FUNCTION_EXPLANATIONS } from './explain.ts';
import { APP, namesOf, pascal } from './names.ts';
import { LogGroups, type Surroundings } from './operation.ts';
import { addConsumers, addQueues, addSchedules } from './queues.ts';
import type { Stage } from './stage.ts';
import { addStreamWorkers } from './streams.ts';
import { queueWatches, scheduleWatches, streamWatches, workerWatches } from './watches.ts';

export interface JobsParts {
  stage: Stage;
  kinds: Kinds;
  queues: Record<string, Queue>;
  schedules: Record<string, Schedule>;
  streams: Record<string, Stream>;
  /** The code of an entry point, for example `queues/import-mail`. */
  code: (entry: string) => Code;
}

/**
 * Rules of the Serverless pack that expect every function to be called asynchronously, or every queue to be an event
 * source.
 */
const EXPLANATIONS = {
  'Serverless-LambdaAsyncFailureDestination': 'A scheduled run that fails is made up for by the next one.',
  'Serverless-LambdaEventSourceMappingDestination':
    "The dead letters of an SQS source are its queue's; what a worker of the stream fails to tell costs a stale view.",
  'Serverless-SQSRedrivePolicy': 'Only the dead-letter queues themselves have none.',
};

/** Background work. Deleting it loses messages but no jobs: the sweep sends them again. */
export class JobsStack extends Stack {
  constructor(scope: Construct, { stage, kinds, queues, schedules, streams, code }: JobsParts) {
    super(scope, `${APP}-${stage.name}-Jobs`, {
      description: `Workspace API (${stage.name}): queues, their workers, schedules and the stream of the table`,
      terminationProtection: stage.keep_data,
      tags: { app: APP, stage: stage.name },
    });
    explain(this, { ...FUNCTION_EXPLANATIONS, ...EXPLANATIONS });
    const names = namesOf(stage.name);
    const deployment = deploymentOf(this, stage, names);
    const around: Surroundings = { stage, names, kinds, deployment, code };
    const logs = new LogGroups(this, around);
    const pairs = addQueues(this, names, queues);
    const consumers = addConsumers(this, pairs, logs, around);
    const scheduled = addSchedules(this, schedules, logs, around);
    const streamed = addStreamWorkers(this, streams, logs, around);
    addAlarms(this, names, alarmsTopic(this, names), [
      ...queueWatches(pairs),
      ...workerWatches([...consumers, ...[...scheduled, ...streamed].map(({ worker }) => worker)]),
      ...scheduleWatches(scheduled),
      ...streamWatches(streamed),
    ]);
    addJobsDashboard(this, names, pairs);
    for (const { name, dead_letters } of pairs)
      new CfnOutput(this, `${pascal(name)}DeadLettersUrl`, { value: dead_letters.queueUrl });
  }
}
