import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CreateQueueCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientOptions } from '#shared/services.ts';
import { longIt } from '../support/long.ts';

const script = join(import.meta.dirname, '..', '..', 'infra', 'scripts', 'redrive.ts');
const MESSAGES = Array.from({ length: 23 }, (_, i) => JSON.stringify({ job_id: `job-${i}` }));

describe('npm run redrive', () => {
  const app = buildApp({ logger: false });
  let endpoint: string;
  let client: SQSClient;
  const urls: Record<'queue' | 'dead', string> = { queue: '', dead: '' };

  beforeAll(async () => {
    endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
    client = new SQSClient({ ...clientOptions(endpoint), useQueueUrlAsEndpoint: false });
    for (const [which, QueueName] of [
      ['queue', 'WorkspaceApiJobs-dev-import-mail'],
      ['dead', 'WorkspaceApiJobs-dev-import-mail-dead-letters'],
    ] as const)
      urls[which] = (await client.send(new CreateQueueCommand({ QueueName }))).QueueUrl as string;
  });
  afterAll(async () => {
    client.destroy();
    await app.close();
  });
  beforeEach(async () => {
    for (const QueueUrl of Object.values(urls)) await client.send(new PurgeQueueCommand({ QueueUrl }));
    for (const MessageBody of MESSAGES)
      await client.send(new SendMessageCommand({ QueueUrl: urls.dead, MessageBody }));
  });

  const runIn = (env: NodeJS.ProcessEnv, options: string[]) =>
    promisify(execFile)(process.execPath, [script, ...options], { env: { ...process.env, ...env } }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
    );

  const run = (...options: string[]) => runIn({ SQS_ENDPOINT: endpoint }, options);

  const waiting = async (QueueUrl: string): Promise<string[]> => {
    const found: string[] = [];
    for (;;) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) return found;
      found.push(...Messages.map(({ Body }) => Body as string));
    }
  };

  longIt('moves every message once', async () => {
    expect(await run('--stage', 'dev', 'import-mail')).toEqual({ code: 0, text: 'import-mail: 23 moved\n' });
    expect((await waiting(urls.queue)).toSorted()).toEqual(MESSAGES.toSorted());
    expect(await waiting(urls.dead)).toEqual([]);
  });

  it('shows the first messages and moves none with --dry-run', async () => {
    const { code, text } = await run('--stage', 'dev', '--dry-run', 'import-mail');
    expect([code, text.split('\n').length]).toEqual([0, 12]);
    expect(text).toContain('{"job_id":"job-0"}');
    expect(await waiting(urls.queue)).toEqual([]);
    expect((await waiting(urls.dead)).length).toBe(MESSAGES.length);
  });

  it('moves nothing when npm took --dry-run for itself', async () => {
    const env = { SQS_ENDPOINT: endpoint, npm_config_dry_run: 'true' };
    expect(await runIn(env, ['--stage', 'dev', 'import-mail'])).toEqual({
      code: 1,
      text: 'npm took the options for itself: put -- before them: npm run redrive -- --dry-run\n',
    });
    expect((await waiting(urls.dead)).length).toBe(MESSAGES.length);
  });

  longIt('reports errors', async () => {
    const wrong: [string[], string][] = [
      [[], 'Name the stage: npm run redrive -- --stage prod, for example.\n'],
      [['--stge', 'dev'], "Unknown option '--stge': did you mean --stage?\n"],
      [['--stage', 'prdo'], 'Unknown stage "prdo": did you mean prod?\n'],
      [
        ['--stage', 'dev', 'letters'],
        'There is no queue letters: npm run redrive -- --help shows them all\n',
      ],
      [['--stage', 'dev', 'import-mial'], 'There is no queue import-mial: did you mean import-mail?\n'],
    ];
    for (const [options, text] of wrong) expect(await run(...options)).toEqual({ code: 1, text });
    expect(await run('--help')).toMatchObject({
      code: 0,
      text: expect.stringContaining('--stage <stage>'),
    });
    expect(await run('--stage', 'prod')).toMatchObject({
      code: 1,
      text: expect.stringContaining('There are no queues for this stage in this AWS account and region'),
    });
    const nowhere = { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined, AWS_CONFIG_FILE: '/dev/null' };
    expect(await runIn(nowhere, ['--stage', 'prod'])).toEqual({
      code: 1,
      text: 'There is no AWS region: set AWS_REGION to the region of the stage.\n',
    });
  });
});
