import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Config, readConfig } from '#shared/config.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { presignPut } from '#shared/providers/files/presign.ts';
import { sendMessage } from '#shared/queues/send.ts';
import { clientOptions, type Services } from '#shared/services.ts';

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
      config: { bucket_name: 'workspace', queue_urls: { 'import-mail': 'https://q' }, ...config },
    }) as Services;
  const file = { content_type: 'text/plain', size: 1 };
  const refusal = 'the address of a local server is missing';

  it('is not made for AWS, neither to call it nor to sign for it', async () => {
    inShell({ ...LOCAL, ...credentials });
    for (const missing of [undefined, '']) expect(() => clientOptions(missing)).toThrow(refusal);
    expect(() => bucketOf(services({}))).toThrow(refusal);
    await expect(async () => presignPut(services({}), 'uploads/x', file, 60)).rejects.toThrow(refusal);
    await expect(sendMessage(services({}), 'import-mail', {})).rejects.toThrow(refusal);
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
    const url = await presignPut(services({ s3_endpoint: undefined }), 'uploads/x', file, 60);
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
