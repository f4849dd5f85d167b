import { type Addresses, readAddresses } from '#shared/addresses.ts';
import { readAppPage } from '#shared/app-page.ts';
import { type BillingConfig, readBillingSettings } from '#shared/billing-settings.ts';
import { type MailProvidersConfig, readMailProviders } from '#shared/mail-providers.ts';
import { type OpenIdConfig, readOpenId } from '#shared/openid-clients.ts';
import { type QueueName, queueNames } from '#shared/queues/queues.ts';
import { readTerms, type TermsDocument } from '#shared/terms.ts';

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

const signUpModes = ['open', 'invitation', 'closed'] as const;

/** Who may create an account. */
export type SignUp = (typeof signUpModes)[number];

/** How often people may sign in, and how long what they get works. */
export interface SignInConfig {
  /** Requests that sign in or renew, of one network. */
  requests_per_hour: number;
  access_token_seconds: number;
  /** Each is renewed by the next one. */
  refresh_token_seconds: number;
  /** From signing in, however often it is refreshed. */
  session_seconds: number;
}

const mailProviders = ['none', 'outbox', 'ses', 'smtp'] as const;

/** By which way the service sends mail (docs/decisions/0060-mail-that-the-service-sends.md). */
export interface MailConfig {
  /** `outbox` writes files. Functions that only ask for mail know this alone. */
  provider: (typeof mailProviders)[number];
  /** The sender: an address, or `Name <address>`. */
  from: string | undefined;
  /** `smtp`: smtp:// with STARTTLS, or smtps://, with user and password. */
  smtp_url: string | undefined;
  /** `outbox`: the folder of the files. */
  outbox: string | undefined;
}

/** What a function knows about its environment. Every value comes from an environment variable. */
export interface Config {
  stage: string;
  table_name: string;
  bucket_name: string;
  /** Secrets that sign cursors and one-time codes, newest first; older ones stay valid during a rotation. */
  cursor_keys: string[];
  /** The alias of the key in KMS that seals how the service signs in to other servers; undefined without a cloud. */
  sealing_key: string | undefined;
  /** Seal it in its place, newest first. Without the one it was sealed with, nobody opens a secret. */
  mailbox_keys: string[];
  /** Origins of web pages that may call the API; `*` for all. */
  cors_origins: string[];
  /** What users accept. */
  terms: TermsDocument[];
  queue_urls: { [Name in QueueName]?: string | undefined };
  /** Folder of the static files that operations with `assets` serve. */
  assets_dir: string | undefined;
  /** Whether the page at /app is served. */
  app_page: boolean;
  assistant: AssistantConfig;
  /** JSON with the keys of push services, for the worker that calls them; undefined without any. */
  push_credentials: string | undefined;
  sign_in: SignInConfig;
  sign_up: SignUp;
  /** Addresses of public mail services cannot sign up. */
  work_accounts_only: boolean;
  openid: OpenIdConfig;
  mail: MailConfig;
  billing: BillingConfig;
  addresses: Addresses;
  /** Where sockets are opened, wss://; the local run has them at its own address. */
  socket_url: string | undefined;
  /** Hosts of calendar servers, with ports, that may be on a private network and speak http. */
  calendar_hosts: string[];
  /** Mail servers may be on a private network, at any port, and without TLS. */
  mail_private_hosts: boolean;
  /** Providers of mailboxes that let the service in by OAuth. */
  mail_providers: MailProvidersConfig;
  /** Endpoints of local servers; undefined in the cloud. with LOCAL_ENDPOINTS there is no cloud. */
  dynamodb_endpoint: string | undefined;
  s3_endpoint: string | undefined;
  sqs_endpoint: string | undefined;
  kms_endpoint: string | undefined;
  ses_endpoint: string | undefined;
  /** Takes what is sent to sockets. */
  sockets_endpoint: string | undefined;
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

/** A number of questions, requests or seconds. */
function readNumber(env: NodeJS.ProcessEnv, name: string, usual: number): number {
  const text = env[name] || String(usual);
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number from 1, not "${text}".`);
  return Number(text);
}

const DAY = 86_400;

/** Throws for an unknown one; `name` is where it was set. */
export function readSignUp(text: string, name: string): SignUp {
  const found = signUpModes.find((each) => each === text);
  if (!found) throw new Error(`${name} must be one of ${signUpModes.join(', ')}, not "${text}".`);
  return found;
}

/** Throws for anything but true and false; `name` is where it was set. */
export function readFlag(text: string, name: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`${name} must be true or false, not "${text}".`);
  return text === 'true';
}

function readSignIn(env: NodeJS.ProcessEnv): SignInConfig {
  return {
    requests_per_hour: readNumber(env, 'SIGN_IN_REQUESTS_PER_HOUR', 300),
    access_token_seconds: readNumber(env, 'ACCESS_TOKEN_SECONDS', 900),
    refresh_token_seconds: readNumber(env, 'REFRESH_TOKEN_SECONDS', 30 * DAY),
    session_seconds: readNumber(env, 'SESSION_SECONDS', 90 * DAY),
  };
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
    questions_per_minute: readNumber(env, 'ASSISTANT_QUESTIONS_PER_MINUTE', 20),
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

/** Without MAIL_PROVIDER, what the other variables imply. Throws for an unknown one; `mailProblem` checks the rest. */
export function readMail(env: NodeJS.ProcessEnv): MailConfig {
  const implied = env.MAIL_SMTP_URL ? 'smtp' : env.MAIL_OUTBOX ? 'outbox' : 'none';
  const named = env.MAIL_PROVIDER || implied;
  const provider = mailProviders.find((each) => each === named);
  if (!provider) throw new Error(`MAIL_PROVIDER must be one of ${mailProviders.join(', ')}, not "${named}".`);
  return {
    provider,
    from: env.MAIL_FROM || undefined,
    smtp_url: env.MAIL_SMTP_URL || undefined,
    outbox: env.MAIL_OUTBOX || undefined,
  };
}

/** `ada@acme.example` or `Acme <ada@acme.example>`. */
const SENDER = /^(?:(?<name>[^<>"@\\\p{Cc}]{1,100}) <)?(?<address>[\w.+-]+@[a-z0-9.-]+)>?$/iu;

/** The parts of a sender; undefined when it is none. */
export function senderOf(from: string): { name: string; address: string } | undefined {
  const { name = '', address } = SENDER.exec(from)?.groups ?? {};
  return address === undefined || from.includes('<') !== from.includes('>') ? undefined : { name, address };
}

/** Why the settings of mail do not fit together, in one line; undefined when they do. */
export function mailProblem({ provider, from, smtp_url, outbox }: MailConfig): string | undefined {
  if (from && !senderOf(from))
    return `MAIL_FROM must be an address, or a name with one, such as "Acme <hello@acme.example>", not "${from}".`;
  if (provider === 'none') return from ? 'MAIL_FROM says nothing without MAIL_SMTP_URL.' : undefined;
  if (!from) return `Mail by ${provider} needs MAIL_FROM, the address of the sender.`;
  if (provider === 'outbox' && !outbox) return 'Mail by outbox needs MAIL_OUTBOX, a folder.';
  if (provider !== 'smtp') return undefined;
  // The text is not quoted: it holds a password.
  return smtp_url && /^smtps?:$/.test(URL.parse(smtp_url)?.protocol ?? '')
    ? undefined
    : 'MAIL_SMTP_URL must be an address such as smtps://user:password@smtp.acme.example.';
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
    sealing_key: env.SEALING_KEY || undefined,
    mailbox_keys: list(env.MAILBOX_KEYS),
    cors_origins: list(env.CORS_ORIGINS),
    queue_urls: queueUrls(env.QUEUE_URL_PREFIX),
    assets_dir: env.ASSETS_DIR,
    app_page: readAppPage(env.APP_PAGE || 'off', 'APP_PAGE'),
    assistant: readAssistant(env),
    push_credentials: env.PUSH_CREDENTIALS || undefined,
    sign_in: readSignIn(env),
    sign_up: readSignUp(env.SIGN_UP || 'invitation', 'SIGN_UP'),
    work_accounts_only: readFlag(env.WORK_ACCOUNTS_ONLY || 'false', 'WORK_ACCOUNTS_ONLY'),
    openid: readOpenId(env),
    mail: readMail(env),
    billing: readBillingSettings(env),
    addresses: readAddresses(env),
    socket_url: env.SOCKET_URL || undefined,
    calendar_hosts: list(env.CALENDAR_HOSTS),
    mail_private_hosts: readFlag(env.MAIL_ALLOW_PRIVATE_HOSTS || 'false', 'MAIL_ALLOW_PRIVATE_HOSTS'),
    mail_providers: readMailProviders(env),
    terms: readTerms(env.TERMS, 'TERMS'),
    dynamodb_endpoint: env.DYNAMODB_ENDPOINT,
    s3_endpoint: env.S3_ENDPOINT,
    sqs_endpoint: env.SQS_ENDPOINT,
    kms_endpoint: env.KMS_ENDPOINT,
    ses_endpoint: env.SES_ENDPOINT,
    sockets_endpoint: env.SOCKETS_ENDPOINT || undefined,
  };
}
