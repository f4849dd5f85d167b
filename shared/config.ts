import { type QueueName, queueNames } from './queues/queues.ts';

/** What a function needs to know of where it runs. Every value comes from an environment variable. */
export interface Config {
  stage: string;
  table_name: string;
  bucket_name: string;
  /** Secrets that sign cursors, newest first; older ones are accepted while a rotation lasts. */
  cursor_keys: string[];
  /** Origins that browsers may call from; `*` for all. */
  cors_origins: string[];
  assistant: {
    provider: string;
    /** Questions that a user may ask in a minute. */
    questions_per_minute: number;
  };
  queue_urls: Partial<Record<QueueName, string>>;
  /** Folder of the static files that operations with `assets` serve. */
  assets_dir: string | undefined;
  /** Endpoints of local servers; undefined in the cloud. */
  dynamodb_endpoint: string | undefined;
  s3_endpoint: string | undefined;
  sqs_endpoint: string | undefined;
}

export function queueVariable(name: QueueName): string {
  return `QUEUE_URL_${name.toUpperCase().replaceAll('-', '_')}`;
}

function list(value: string | undefined): string[] {
  return (value ?? '').split(',').filter((part) => part !== '');
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    stage: env.STAGE ?? 'local',
    table_name: env.TABLE_NAME ?? '',
    bucket_name: env.BUCKET_NAME ?? '',
    cursor_keys: list(env.CURSOR_KEYS),
    cors_origins: list(env.CORS_ORIGINS),
    assistant: {
      provider: env.ASSISTANT_PROVIDER ?? 'built-in',
      questions_per_minute: Number(env.ASSISTANT_QUESTIONS_PER_MINUTE ?? 20),
    },
    queue_urls: Object.fromEntries(queueNames.map((name) => [name, env[queueVariable(name)]])),
    assets_dir: env.ASSETS_DIR,
    dynamodb_endpoint: env.DYNAMODB_ENDPOINT,
    s3_endpoint: env.S3_ENDPOINT,
    sqs_endpoint: env.SQS_ENDPOINT,
  };
}
