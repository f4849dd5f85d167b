import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_RECEIVES } from '#shared/queues/queues.ts';
import { clientOptions } from '#shared/services.ts';
import { eml, givenMailbox, importMailThroughApi } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('a message that cannot be handled', () => {
  let workspace: Workspace;
  let client: SQSClient;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    client = new SQSClient({
      ...clientOptions(workspace.ctx.config.sqs_endpoint),
      useQueueUrlAsEndpoint: false,
    });
  });
  afterAll(async () => {
    client?.destroy();
    await workspace?.stop();
  });

  it('goes to the dead-letter queue after its last delivery, and others are handled meanwhile', async () => {
    const QueueUrl = workspace.ctx.config.queue_urls['import-mail'];
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'poison' }));
    const mailbox = await givenMailbox(workspace, workspace.ada);
    const counts = await importMailThroughApi(workspace, workspace.ada, mailbox, [eml({ id: 'good@x' })]);
    expect(counts).toMatchObject({ status: 'complete', messages_imported: 1 });
    const dead = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: `${QueueUrl}-dead`,
        WaitTimeSeconds: 20,
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      }),
    );
    expect(dead.Messages).toMatchObject([{ Body: 'poison' }]);
    expect(MAX_RECEIVES).toBe(5);
  });
});
