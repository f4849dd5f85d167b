import { globSync, readFileSync } from 'node:fs';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Config, readAssistant, readConfig } from '#shared/config.ts';
import { bedrockModel } from '#shared/providers/assistant/bedrock.ts';
import { presignPut } from '#shared/providers/files/presign.ts';
import { clientOptions, type Services } from '#shared/services.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import { kinds } from '#shared/uses/kinds.ts';

/** Where only local servers are allowed, a missing address is an error and never AWS. */

const LOCAL = { LOCAL_ENDPOINTS: 'true' };

describe('the configuration', () => {
  it.each([
    [
      { ...LOCAL, DYNAMODB_ENDPOINT: '' },
      'LOCAL_ENDPOINTS is true, and DYNAMODB_ENDPOINT not set: npm run sam',
    ],
    [
      { ...LOCAL, S3_ENDPOINT: '', SQS_ENDPOINT: '', DYNAMODB_ENDPOINT: 'http://d' },
      'S3_ENDPOINT, SQS_ENDPOINT not set',
    ],
  ])('%j is refused', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it.each([
    { ...LOCAL, DYNAMODB_ENDPOINT: 'http://d' },
    // A deployment, and npm start.
    { DYNAMODB_ENDPOINT: '' },
    {},
  ])('%j is taken', (env) => {
    expect(() => readConfig(env)).not.toThrow();
  });
});

it('is told of every kind of server, because their variables have one ending', () => {
  const named = Object.values(kinds as Kinds).flatMap(({ endpoint = [] }) => endpoint);
  expect(named.length).toBeGreaterThanOrEqual(3);
  for (const name of named) expect(() => readConfig({ ...LOCAL, [name]: '' })).toThrow(name);
});

describe('a client', () => {
  afterEach(() => vi.unstubAllEnvs());
  const inShell = (env: Record<string, string>) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  };
  const credentials = {
    AWS_ACCESS_KEY_ID: 'AKIAREAL',
    AWS_SECRET_ACCESS_KEY: 'real',
    AWS_REGION: 'eu-central-1',
  };
  const services = (config: Partial<Config>) =>
    ({
      config: { bucket_name: 'workspace', ...config },
    }) as Services;
  const file = { content_type: 'text/plain', size: 1 };
  const refusal = 'the address of a local server is missing';

  const object = new PutObjectCommand({ Bucket: 'workspace', Key: 'uploads/x' });

  // Clients of its own: those of functions live as long as their process.
  it('neither calls AWS nor signs for it', async () => {
    inShell({ ...LOCAL, ...credentials });
    for (const missing of [undefined, '']) {
      const options = clientOptions(missing);
      const message = new SendMessageCommand({
        QueueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/q',
        MessageBody: '',
      });
      for (const call of [
        new DynamoDBClient(options).send(new ListTablesCommand({})),
        new S3Client(options).send(object),
        getSignedUrl(new S3Client({ ...options, forcePathStyle: true }), object),
        new SQSClient({ ...options, useQueueUrlAsEndpoint: true }).send(message),
      ])
        await expect(call).rejects.toThrow(refusal);
    }
  });

  it('asks no model of Bedrock', async () => {
    inShell({ ...LOCAL, ...credentials });
    const model = bedrockModel({ ...readAssistant({ ASSISTANT_PROVIDER: 'bedrock' }), model: 'm' });
    const turns = [{ role: 'user' as const, text: 'When?' }];
    const question = { system: '', turns, tools: [], max_tokens: 1, timeout_ms: 5_000 };
    await expect(model.complete(question)).rejects.toMatchObject({
      cause: { message: expect.stringContaining(refusal) },
    });
  });

  it('signs for a local server with credentials of nobody', async () => {
    inShell({ ...LOCAL, ...credentials });
    const url = await presignPut(services({ s3_endpoint: 'http://172.17.0.1:8001' }), 'uploads/x', file, 60);
    expect(url).toMatch(/^http:\/\/172\.17\.0\.1:8001\/workspace\/uploads\/x\?.*X-Amz-Credential=local%2F/);
    expect(url).not.toContain('AKIAREAL');
  });

  it('of a deployment is as before: of AWS, with the credentials of the environment', async () => {
    inShell({ LOCAL_ENDPOINTS: '', ...credentials });
    expect(clientOptions(undefined)).toEqual({ maxAttempts: 3, retryMode: 'standard' });
    const url = await getSignedUrl(new S3Client(clientOptions(undefined)), object);
    expect(url).toMatch(
      /^https:\/\/workspace\.s3\.eu-central-1\.amazonaws\.com\/uploads\/x\?.*X-Amz-Credential=AKIAREAL%2F/,
    );
  });

  it('is made with `clientOptions` everywhere in functions', () => {
    const made = globSync('{shared,functions}/**/*.ts').flatMap((name) => {
      const found = readFileSync(name, 'utf8').matchAll(/new (?:\w+Client)\(([^;]*)/g);
      return [...found].map(([, settings = '']) => ({ name, safe: settings.includes('clientOptions(') }));
    });
    expect(made.length).toBeGreaterThanOrEqual(4);
    expect(made.filter(({ safe }) => !safe)).toEqual([]);
  });
});
