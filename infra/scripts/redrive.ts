import { parseArgs } from 'node:util';
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

async function redrive(stage: string, chosen: QueueName[], dryRun: boolean): Promise<void> {
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

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      stage: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const unknown = positionals.filter((name) => !queueNames.includes(name as QueueName));
  if (!values.stage || unknown.length > 0) {
    console.error(unknown.length > 0 ? `There is no queue ${unknown.join(', ')}.\n\n${HELP}` : HELP);
    return 1;
  }
  const chosen = positionals.length > 0 ? (positionals as QueueName[]) : queueNames;
  await redrive(values.stage, chosen, values['dry-run']);
  return 0;
}

process.exitCode = await main().catch((error) => {
  console.error(explain(error, 'this stage'));
  return 1;
});
