import Module from 'node:module';

/**
 * In place of `rapid-client.node`, the compiled part of the runtime client: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/native/rapid-client.cc
 * Loaded before the runtime client.
 */

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;

let posted: Promise<unknown> = Promise.resolve();

function post(path: string, body: string): void {
  posted = fetch(`${api}/${path}`, { method: 'POST', body });
}

const client = {
  async next() {
    await posted;
    const response = await fetch(`${api}/next`);
    return { bodyJson: await response.text(), headers: Object.fromEntries(response.headers) };
  },
  done: (id: string, body: string) => post(`${id}/response`, body),
  error: (id: string, body: string) => post(`${id}/error`, body),
};

type Load = (request: string, ...more: unknown[]) => unknown;

const modules = Module as unknown as { _load: Load };
const load = modules._load;
modules._load = (request, ...more) =>
  request === './rapid-client.node' ? client : load.call(Module, request, ...more);
