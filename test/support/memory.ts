import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Config } from '#shared/config.ts';
import { startQueues } from '../../infra/local/queues.ts';
import type { Workspace } from './workspace.ts';

/** The service of a workspace in another process, where nothing else has memory: the emulators stay in this one. */
export interface SeparateService {
  url: string;
  /** What `work` returns, and how many bytes more than before the service held meanwhile; it finds more than `allowed`. */
  watch<T>(allowed: number, work: () => Promise<T>): Promise<{ result: T; held: number }>;
  stop(): Promise<void>;
}

async function answerOf<T>(service: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const lost = () => ended.abort(new Error(`The service ended with ${service.exitCode}`));
  service.once('exit', lost);
  const [answer] = await once(service, 'message', { signal: ended.signal });
  service.off('exit', lost);
  return answer as T;
}

function variablesOf(config: Config): Record<string, string> {
  return {
    TABLE_NAME: config.table_name,
    BUCKET_NAME: config.bucket_name,
    CURSOR_KEYS: config.cursor_keys.join(),
    MAILBOX_KEYS: config.mailbox_keys.join(),
    DYNAMODB_ENDPOINT: `${config.dynamodb_endpoint}`,
    S3_ENDPOINT: `${config.s3_endpoint}`,
  };
}

/** Needs `startWorkspace({ files: true })`. */
export async function startSeparately({ ctx: { config } }: Workspace): Promise<SeparateService> {
  const sqs = await startQueues();
  const env = { ...variablesOf(config), SQS_ENDPOINT: sqs.endpoint, QUEUE_URL_PREFIX: sqs.url_prefix };
  const service = fork(join(import.meta.dirname, 'memory', 'service.ts'), {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...env },
  });
  const ask = (question: number | 'stop') => {
    const answer = answerOf<number>(service);
    service.send(question);
    return answer;
  };
  return {
    url: await answerOf<string>(service),
    async watch(allowed, work) {
      await ask(allowed);
      const result = await work();
      return { result, held: await ask('stop') };
    },
    async stop() {
      const ended = once(service, 'exit');
      service.disconnect();
      await ended;
      await sqs.stop();
    },
  };
}
