import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * One invocation of a function in a process of its own, by AWS's runtime client for Node and against a runtime API
 * played here: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */

export interface Invocation {
  /** The unpacked code: the task root. */
  folder: string;
  /** As in the template: `index.handler`. */
  handler: string;
  variables: Record<string, string>;
  event: unknown;
}

export interface Outcome {
  /** What the runtime client posted. */
  posted: 'response' | 'error' | 'init error';
  body: string;
}

const REQUEST = 'a1b2c3d4-0000-4000-8000-000000000000';
/** Milliseconds. */
const TIMEOUT = 29_000;

const client = join(import.meta.dirname, 'client', 'node_modules', 'aws-lambda-ric', 'index.mjs');

/**
 * Of Node, with which AWS tests its client: nothing is taken for an ES module that does not say so.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/package.json
 */
const STRICT = ['--no-experimental-require-module', '--no-experimental-detect-module'];

function postedBy({ method, url = '' }: IncomingMessage): Outcome['posted'] | undefined {
  if (method !== 'POST') return undefined;
  if (url.endsWith('/init/error')) return 'init error';
  return url.endsWith('/error') ? 'error' : 'response';
}

/** Hands out the event once; resolves with the first thing that is posted. */
async function runtimeApi(event: unknown): Promise<{ server: Server; outcome: Promise<Outcome> }> {
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  let waiting = true;
  const server = createServer(async (request, response) => {
    const posted = postedBy(request);
    if (posted) {
      resolve({ posted, body: await text(request) });
      response.writeHead(202).end();
    } else if (waiting) {
      waiting = false;
      response.writeHead(200, {
        'Lambda-Runtime-Aws-Request-Id': REQUEST,
        'Lambda-Runtime-Deadline-Ms': Date.now() + TIMEOUT,
        'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-central-1:123456789012:function:tested',
      });
      response.end(JSON.stringify(event));
    }
    // Without another event, the function waits for ever, as a warm one does.
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, outcome };
}

function start({ folder, handler, variables }: Invocation, port: number): ChildProcess {
  const before = join(import.meta.dirname, 'native-client.ts');
  return spawn(process.execPath, [...STRICT, '--import', before, client, handler], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of this process, and what Lambda sets:
    // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
    env: {
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: 'tested',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_LOG_GROUP_NAME: 'tested',
      AWS_LAMBDA_LOG_STREAM_NAME: 'tested',
      AWS_REGION: 'eu-central-1',
      ...variables,
    },
  });
}

export async function invoke(invocation: Invocation): Promise<Outcome> {
  const { server, outcome } = await runtimeApi(invocation.event);
  const child = start(invocation, (server.address() as AddressInfo).port);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const ended = once(child, 'close');
  // It ends by itself only after an error, which it has posted before.
  const silent = ended.then(() => Promise.reject(new Error(`Ended without a response: ${output}`)));
  try {
    return await Promise.race([outcome, silent]);
  } finally {
    silent.catch(() => {});
    child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
    await ended;
  }
}
