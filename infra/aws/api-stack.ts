import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Operation } from '#shared/api/catalogue.ts';
import { objectKeys } from '#shared/providers/files/bucket.ts';
import type { QueueName } from '#shared/queues/queues.ts';
import { tableSchema } from '#shared/table/schema.ts';
import { addAlarms, type Watched } from './alarms.ts';
import { modelGrants } from './assistant.ts';
import { addDashboard } from './dashboard.ts';
import { explain } from './explain.ts';
import { addGateway } from './gateway.ts';
import { APP, type Names, namesOf, pascal } from './names.ts';
import { addFunctions, LogGroups, planNotFound, planOperation, type Surroundings } from './operation.ts';
import type { Places } from './permissions.ts';
import { addConsumers, addQueues, addSchedules, type QueuePair } from './queues.ts';
import type { Stage } from './stage.ts';

export interface ApiParts {
  stage: Stage;
  operations: Operation[];
  /** The code of an entry point, for example `tags/create-tag`. */
  code: (entry: string) => Code;
}

/** `uploads/*`, `mail/*` and so on: every kind of object that a key is made for. */
function objectPatterns(): string[] {
  const makers = Object.values(objectKeys) as ((...ids: string[]) => string)[];
  return [...new Set(makers.map((key) => `${key('x', 'x').split('/')[0]}/*`))];
}

function placesOf(stack: Stack, stage: Stage, names: Names, queue: Places['queue']): Places {
  const table = stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: names.table });
  const bucket = `arn:${Aws.PARTITION}:s3:::${names.bucket}`;
  return {
    table,
    indexes: Object.keys(tableSchema.indexes).map((index) => `${table}/index/${index}`),
    bucket,
    objects: objectPatterns().map((pattern) => `${bucket}/${pattern}`),
    queue,
    model: modelGrants(stage.assistant, stack),
  };
}

/** Rules of the Serverless pack that take every function for one that is called asynchronously, or every queue for a source. */
const EXPLANATIONS = {
  'Serverless-LambdaDLQ':
    'The gateway waits for its functions; jobs come from a queue that has dead letters.',
  'Serverless-LambdaAsyncFailureDestination': 'A scheduled run that fails is made up for by the next one.',
  'Serverless-LambdaEventSourceMappingDestination':
    "For streams: the dead letters of an SQS source are its queue's.",
  'Serverless-LambdaStarPermissions':
    'X-Ray takes no resource, and objects are named by ids; see IAM5 at each role.',
  'Serverless-SQSRedrivePolicy': 'Only the dead-letter queues themselves have none.',
  'Serverless-SNSRedrivePolicy':
    'An alarm that could not be mailed is seen on the dashboard; it is not sent again.',
};

/** Everything without a memory: it can be deleted and deployed again at any time. */
export class ApiStack extends Stack {
  constructor(scope: Construct, { stage, operations, code }: ApiParts) {
    super(scope, `${APP}-${stage.name}-Api`, {
      description: `Workspace API (${stage.name}): gateway, functions and queues`,
      tags: { app: APP, stage: stage.name },
    });
    explain(this, EXPLANATIONS);
    const names = namesOf(stage.name);
    const queues = addQueues(this, names);
    const pair = (name: QueueName) => queues.get(name) as QueuePair;
    const around: Surroundings = {
      stage,
      names,
      places: placesOf(this, stage, names, (name) => pair(name).queue.queueArn),
      queueUrl: (name) => pair(name).queue.queueUrl,
      code,
    };
    const logs = new LogGroups(this, around);
    const plans = operations.map((operation) => planOperation(operation, around));
    const functions = addFunctions(this, [...plans, planNotFound(around)], logs, around);
    const api = addGateway(this, { stage, names, operations, functions });
    const jobs = [...addConsumers(this, queues, logs, around), ...addSchedules(this, logs, around)];
    const watched: Watched = { stage, names, api, queues, jobs };
    const topic = addAlarms(this, watched);
    addDashboard(this, watched);
    new CfnOutput(this, 'AlarmsTopic', { value: topic.topicArn });
    for (const [name, { dead_letters }] of queues)
      new CfnOutput(this, `${pascal(name)}DeadLettersUrl`, { value: dead_letters.queueUrl });
  }
}
