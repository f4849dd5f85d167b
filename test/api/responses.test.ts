import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSecret } from '#shared/domain/identity/credentials/secret.ts';
import { redact } from '#shared/log.ts';
import { logged } from '../support/logged.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, errorText, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** The output of the service: responses, failures and logs. */
describe('responses and logs', () => {
  let workspace: Workspace;
  let probes: Probes;
  beforeAll(async () => {
    workspace = await startWorkspace();
    probes = await startProbes(workspace.ctx);
  });
  afterAll(async () => {
    await probes.stop();
    await workspace.stop();
  });
  it.each(['value', 'missing', 'more', 'throw'])('500 error, which hides the cause: %s', async (what) => {
    const response = await raw(probes.url, { path: `/broken/${what}` });
    expect(response.status).toBe(500);
    expect(JSON.parse(errorText(response))).toEqual({
      error: { code: 'error', message: 'Something failed inside the service.' },
    });
    expect(response.json.error?.request_id).toBe(response.headers['x-request-id']);
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('logs why a response did not fit its schema', async () => {
    const written = await logged(() => raw(probes.url, { path: '/broken/value' }));
    expect(written).toContain('ResponseMismatch');
    expect(written).toContain('brokenProbe');
    expect(written).toContain('count');
  });

  it('gives each response a request id, no-store and nosniff', async () => {
    const responses = [
      await raw(probes.url, { path: '/nothing' }),
      await raw(probes.url, { path: '/probes' }),
      await raw(probes.url, { method: 'POST', path: '/probes' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 401, 201]);
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
    for (const { headers } of responses)
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
  });

  it('logs one line for each request, with its caller and its result', async () => {
    let request_id: string | undefined;
    const written = await logged(async () => {
      const headers = [bearer(workspace.ada.read_key)];
      request_id = (await raw(probes.url, { path: '/probes?word=abcdef', headers })).headers['x-request-id'];
    });
    const lines = written
      .split('\n')
      .filter((line) => line.includes('"operation"'))
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      operation: 'pageProbe',
      request_id,
      status: 400,
      error_code: 'invalid_request',
      account_id: workspace.account_id,
      user_id: workspace.ada.user.id,
    });
  });

  it('writes metrics in the same line when they are on, whatever the level of the log', () => {
    const outcome = { operation: 'createTag', request_id: 'r1', status: 409, duration_ms: 12.5 };
    const code = `import('#shared/log.ts').then(({ recordRequest }) => recordRequest('prod', ${JSON.stringify(outcome)}))`;
    const env = { ...process.env, POWERTOOLS_METRICS_DISABLED: 'false', POWERTOOLS_LOG_LEVEL: 'CRITICAL' };
    const written = execFileSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
    const [line, ...others] = written.trim().split('\n');
    expect(others).toEqual([]);
    const { _aws, ...fields } = JSON.parse(line as string);
    expect(fields).toMatchObject({
      ...{ message: 'request', operation: 'createTag', request_id: 'r1', status: 409, stage: 'prod' },
      ...{ Latency: 12.5, ClientError: 1, ServerError: 0 },
    });
    expect(_aws.CloudWatchMetrics).toMatchObject([
      {
        Namespace: 'WorkspaceApi',
        Dimensions: [['service', 'stage']],
        Metrics: [{ Name: 'Latency' }, { Name: 'ClientError' }, { Name: 'ServerError' }],
      },
    ]);
  });

  it('removes secrets and addresses from any text', () => {
    const localPart = fc.stringMatching(/^[a-z0-9][a-z0-9._+-]{0,20}$/);
    fc.assert(
      fc.property(fc.string(), localPart, fc.domain(), fc.string(), (before, local, domain, after) => {
        const secret = newSecret('session');
        const logged = redact(`${before} ${secret} <${local}@${domain}>${after}`);
        expect(logged).not.toContain(secret.slice(12));
        expect(logged).not.toContain(`@${domain}`);
        expect(logged).toContain(' [secret] <[address]>');
      }),
    );
  });

  it('logs no token, no body and no address', async () => {
    const secrets = [workspace.ada.write_key, workspace.ada.session_token];
    const written = await logged(async () => {
      const headers = [asJson, bearer(workspace.ada.write_key)];
      const body = JSON.stringify({
        contact: { name: 'Zebedee', email_addresses: [{ email_address: 'zebedee@acme.example' }] },
      });
      for (let i = 0; i < 2; i++)
        await raw(workspace.url, { method: 'POST', path: '/contacts', headers, body });
      await raw(workspace.url, { method: 'POST', path: '/contacts', headers, body: body.slice(1) });
      await raw(probes.url, { path: '/broken/throw?email=zebedee@acme.example', headers });
      await raw(probes.url, { path: '/broken/value', headers });
      const api_key = { name: 'Zebedee', tier: 'read' as const };
      const made = await workspace.ada.session.createApiKey({ body: { api_key } });
      secrets.push(made.body.api_key.secret);
      await raw(probes.url, { path: `/probes?token=${secrets[0]}`, headers: [bearer(`${secrets[0]}x`)] });
    });
    expect(written).toContain('createContact');
    expect(written).toContain('unexpected failure');
    for (const secret of secrets) expect(written).not.toContain(secret);
    expect(written).not.toMatch(/wsk_|zebedee/i);
    expect(written).not.toContain('@acme.example');
  });
});
