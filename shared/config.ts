import { type QueueName, queueNames } from '#shared/queues/queues.ts';

const assistantProviders = ['built-in', 'bedrock', 'openai', 'none'] as const;

/** Which language model answers questions (docs/decisions/0016-language-models.md). */
export interface AssistantConfig {
  /**
   * `built-in` answers by our own rules, without a model; `openai` is any server with OpenAI's API. With `none` there
   * is no assistant.
   */
  provider: (typeof assistantProviders)[number];
  /** The model's name at the provider. Only workers know this and the following fields. */
  model: string | undefined;
  /** `openai`: the address before `/chat/completions`. `bedrock`: a local server in place of AWS. */
  url: string | undefined;
  /** `openai`: for servers that need a key. */
  api_key: string | undefined;
  /** How often a user may start work of the assistant. Known to every function that starts it. */
  questions_per_minute: number;
}

/** What a function knows about its environment. Every value comes from an environment variable. */
export interface Config {
  stage: string;
  table_name: string;
  bucket_name: string;
  /** Secrets that sign cursors, newest first; older ones stay valid during a rotation. */
  cursor_keys: string[];
  /** Origins of web pages that may call the API; `*` for all. */
  cors_origins: string[];
  queue_urls: { [Name in QueueName]?: string | undefined };
  /** Folder of the static files that operations with `assets` serve. */
  assets_dir: string | undefined;
  assistant: AssistantConfig;
  /** JSON with the keys of push services, for the worker that calls them; undefined without any. */
  push_credentials: string | undefined;
  /** Endpoints of local servers; undefined in the cloud. with LOCAL_ENDPOINTS there is no cloud. */
  dynamodb_endpoint: string | undefined;
  s3_endpoint: string | undefined;
  sqs_endpoint: string | undefined;
}

/**
 * One variable for all queues: environment variables of a Lambda function have 4 kB in all, and the sweep sends to
 * every queue.
 */
function queueUrls(prefix: string | undefined): Config['queue_urls'] {
  return prefix ? Object.fromEntries(queueNames.map((name) => [name, `${prefix}${name}`])) : {};
}

function list(value: string | undefined): string[] {
  return (value ?? '').split(',').filter((part) => part !== '');
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`ASSISTANT_QUESTIONS_PER_MINUTE must be a whole number from 1, not "${text}".`);
  return Number(text);
}

/** Throws for an unknown provider. `assistantProblem` checks the rest. */
export function readAssistant(env: NodeJS.ProcessEnv): AssistantConfig {
  const named = env.ASSISTANT_PROVIDER || 'built-in';
  const provider = assistantProviders.find((each) => each === named);
  if (!provider)
    throw new Error(`ASSISTANT_PROVIDER must be one of ${assistantProviders.join(', ')}, not "${named}".`);
  return {
    provider,
    model: env.ASSISTANT_MODEL || undefined,
    url: env.ASSISTANT_URL || undefined,
    api_key: env.ASSISTANT_API_KEY || undefined,
    questions_per_minute: readLimit(env.ASSISTANT_QUESTIONS_PER_MINUTE || '20'),
  };
}

function isHttp(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

/** Why the assistant's settings do not fit together, in one line; undefined when they do. */
export function assistantProblem({ provider, model, url, api_key }: AssistantConfig): string | undefined {
  if (provider === 'built-in' || provider === 'none') {
    const needless = model || url || api_key;
    return needless
      ? `ASSISTANT_MODEL, ASSISTANT_URL and ASSISTANT_API_KEY say nothing when ASSISTANT_PROVIDER is ${provider}: set it to bedrock or openai.`
      : undefined;
  }
  if (!model) return `ASSISTANT_PROVIDER ${provider} needs ASSISTANT_MODEL, the name of a model.`;
  if (provider === 'openai' && !url)
    return 'ASSISTANT_PROVIDER openai needs ASSISTANT_URL, for example http://127.0.0.1:11434/v1.';
  if (url && !isHttp(url)) return 'ASSISTANT_URL must begin with http:// or https://.';
  if (provider === 'bedrock' && api_key)
    return 'ASSISTANT_PROVIDER bedrock takes no ASSISTANT_API_KEY: it uses the credentials of AWS.';
  return undefined;
}

/** Set by `-c localEndpoints=true`: nothing that runs with it may reach AWS. */
export const isLocalOnly = (env: NodeJS.ProcessEnv) => env.LOCAL_ENDPOINTS === 'true';

/** The template has a variable for each server that a function uses, empty until somebody sets it. */
function requireEndpoints(env: NodeJS.ProcessEnv): void {
  const missing = Object.keys(env).filter((name) => name.endsWith('_ENDPOINT') && env[name] === '');
  if (!isLocalOnly(env) || missing.length === 0) return;
  throw new Error(
    `LOCAL_ENDPOINTS is true, and ${missing.join(', ')} not set: npm run sam sets every address of a local server.`,
  );
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  requireEndpoints(env);
  return {
    stage: env.STAGE ?? 'local',
    table_name: env.TABLE_NAME ?? '',
    bucket_name: env.BUCKET_NAME ?? '',
    cursor_keys: list(env.CURSOR_KEYS),
    cors_origins: list(env.CORS_ORIGINS),
    queue_urls: queueUrls(env.QUEUE_URL_PREFIX),
    assets_dir: env.ASSETS_DIR,
    assistant: readAssistant(env),
    push_credentials: env.PUSH_CREDENTIALS || undefined,
    dynamodb_endpoint: env.DYNAMODB_ENDPOINT,
    s3_endpoint: env.S3_ENDPOINT,
    sqs_endpoint: env.SQS_ENDPOINT,
  };
}
