import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type QueueName, queueNames } from '#shared/queues/queues.ts';
import { clientOptions } from '#shared/services.ts';
import { namesOf } from '../aws/names.ts';
import { settingsOfStage } from '../aws/stage.ts';
import { Misuse, parseOptions, suggestion } from '../cli/options.ts';
import { refuseSwallowed } from '../cli/swallowed.ts';
import { explain } from './admin/explain.ts';

/** `npm run redrive`: sends dead letters back to their queue. */

const HELP = `Moves the messages of dead-letter queues back to their queues.

  npm run redrive -- --stage <stage> [--dry-run] [<queue> ...]

  <queue>     ${queueNames.join(', ')}; default: all
  --stage     for example prod
  --dry-run   only shows the first messages
  --help      this text

Find and fix the cause first: messages that still fail return after a few tries. Region and credentials come from the
usual AWS variables. A message that is moved when this is stopped may arrive twice, which does no harm.`;

const options = {
  stage: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Seconds in which a message must be moved before it becomes visible again. */
const HELD = 60;
const BATCH = 10;

async function urlOf(client: SQSClient, QueueName: string): Promise<string> {
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }));
  return QueueUrl as string;
}

async function receive(client: SQSClient, QueueUrl: string): Promise<Message[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: BATCH,
      VisibilityTimeout: HELD,
      // A long poll asks all of SQS's servers, so an empty result means an empty queue.
      WaitTimeSeconds: 2,
    }),
  );
  return Messages;
}

/** Sends each message before deleting it: no message is lost. */
async function moveAll(client: SQSClient, from: string, to: string): Promise<number> {
  let moved = 0;
  for (;;) {
    const messages = await receive(client, from);
    if (messages.length === 0) return moved;
    for (const { Body, ReceiptHandle } of messages) {
      await client.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body }));
      await client.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
      moved++;
    }
  }
}

async function show(client: SQSClient, QueueUrl: string): Promise<void> {
  const messages = await receive(client, QueueUrl);
  for (const { Body } of messages) console.log(`  ${Body}`);
  if (messages.length === 0) return;
  const Entries = messages.map(({ ReceiptHandle }, i) => ({
    Id: String(i),
    ReceiptHandle,
    VisibilityTimeout: 0,
  }));
  await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
}

async function redrive(stage: string, chosen: readonly QueueName[], dryRun: boolean): Promise<void> {
  const endpoint = process.env.SQS_ENDPOINT;
  const client = new SQSClient({ ...clientOptions(endpoint), useQueueUrlAsEndpoint: endpoint === undefined });
  const names = namesOf(stage);
  for (const name of chosen) {
    const from = await urlOf(client, names.dead_letters(name));
    if (dryRun) {
      console.log(`${name}: the first messages`);
      await show(client, from);
      continue;
    }
    console.log(`${name}: ${await moveAll(client, from, await urlOf(client, names.job(name)))} moved`);
  }
}

function queueOf(text: string): QueueName {
  const known = queueNames.find((name) => name === text);
  if (known) return known;
  const near = suggestion(text, queueNames, 'npm run redrive -- --help');
  throw new Misuse(`There is no queue ${text}: ${near}`);
}

async function main(args: string[]): Promise<void> {
  const help = 'npm run redrive -- --help';
  const { values, positionals } = parseOptions(args, options, { help, positionals: true });
  if (values.help) return console.log(HELP);
  refuseSwallowed('npm run redrive --', options, positionals, process.env);
  if (!values.stage) throw new Misuse('Name the stage: npm run redrive -- --stage prod, for example.');
  settingsOfStage(values.stage);
  const chosen = positionals.length > 0 ? positionals.map(queueOf) : queueNames;
  await redrive(values.stage, chosen, values['dry-run'] ?? false);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(explain(error, 'this stage'));
  process.exitCode = 1;
}
