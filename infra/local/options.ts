import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { Misuse, parseOptions } from '../cli/options.ts';
import { refuseSwallowed } from '../cli/swallowed.ts';

export const HELP = `Runs the Workspace API on this machine.

  npm start -- [options]

  --port <n>           port of the API (default 3000; 0 takes a free one)
  --host <address>     address on which everything listens (default 127.0.0.1; 0.0.0.0 for all: whoever reaches
                       this machine then reaches the data)
  --database-port <n>  port of DynamoDB Local (default 0)
  --bucket-port <n>    port of the files' server, which speaks S3 (default 0)
  --queue-port <n>     port of the SQS emulator (default 0)
  --data <folder>      where data is kept (default .local)
  --in-memory          keep nothing after it stops
  --no-demo            do not fill the demo workspace
  --with-mail-server   give Ada of the demo a mailbox on a Dovecot that is installed here, and an SMTP server
  --watch              start again when a source file changes; the data is kept
  --verbose            print a line for every request: method, path, status and bad fields
  --help               this text

Environment variables

  DYNAMODB_ENDPOINT               a DynamoDB Local that runs elsewhere; then Java is not needed
  ASSISTANT_PROVIDER              built-in (default), none, openai (any server with OpenAI's chat API), bedrock
  ASSISTANT_MODEL                 its language model; needed for openai and bedrock
  ASSISTANT_URL                   openai: the address before /chat/completions
  ASSISTANT_API_KEY               openai: for servers that need a key
  ASSISTANT_QUESTIONS_PER_MINUTE  of one user (default 20)
  PUSH_CREDENTIALS                keys of push services as JSON; without it, keys for browsers in <data>/push-keys.json
  MAIL_SMTP_URL                   an SMTP server that sends the mail of the service, such as smtp://127.0.0.1:1025; else
                                  they become files in <data>/outbox
  MAIL_FROM                       its sender, an address or "Name <address>"; needed with MAIL_SMTP_URL
  MAIL_ALLOW_PRIVATE_HOSTS        true: mailboxes may be at servers on this machine or a private network, at any port
  APP_URL                         the address of your app, which mail links to
  API_URL                         that of the API, for links that end mail (default: where it listens)
  AWS_REGION, AWS_PROFILE, ...    bedrock: the usual AWS variables
  TERMS                           what users accept, as the JSON of -c terms (docs/operations.md)
  SIGN_UP                         who may create an account: open (default), invitation or closed
  WORK_ACCOUNTS_ONLY              true: addresses of public mail services cannot sign up
  SIGN_IN_REQUESTS_PER_HOUR       of one network (default 300)
  ACCESS_TOKEN_SECONDS            that an access token works (default 900)
  REFRESH_TOKEN_SECONDS           that a refresh token works (default 30 days)
  SESSION_SECONDS                 from signing in, however often it is refreshed (default 90 days)
  OIDC_ISSUER                     an issuer of OpenID Connect to sign in with
  OIDC_CLIENT_ID                  how it knows the service
  OIDC_CLIENT_SECRET              what they share
  GOOGLE_CLIENT_ID                the same of Google
  GOOGLE_CLIENT_SECRET
  MICROSOFT_CLIENT_ID             the same of Microsoft
  MICROSOFT_CLIENT_SECRET
  GMAIL_CLIENT_ID                 how Google knows the service, for mailboxes at Gmail
  GMAIL_CLIENT_SECRET
  OUTLOOK_CLIENT_ID               the same of Microsoft, for mailboxes at Outlook and Microsoft 365
  OUTLOOK_CLIENT_SECRET
  OUTLOOK_ISSUER                  one tenant of Microsoft, in place of all
  CALENDAR_HOSTS                  calendar servers that may be private or speak http, such as 127.0.0.1:5232, with commas
  REDIRECT_URLS                   where providers may send browsers back to, besides pages of the service
  BILLING_PROVIDER                none (default), or stripe with the following
  STRIPE_SECRET_KEY
  STRIPE_WEBHOOK_SECRET           of the events that Stripe sends to /billing/events
  STRIPE_PUBLISHABLE_KEY
  STRIPE_PRICE                    the id of the price of a seat
  STRIPE_TRIAL_DAYS               before the first payment (default 14)
  STRIPE_ENDPOINT                 a server that speaks Stripe's API, in place of Stripe

Accounts, users and keys: npm run admin -- --help
`;

export interface Options {
  port: number;
  host: string;
  database_port: number;
  bucket_port: number;
  queue_port: number;
  data: string;
  in_memory: boolean;
  demo: boolean;
  with_mail_server: boolean;
  watch: boolean;
  verbose: boolean;
}

const definitions = {
  port: { type: 'string', default: '3000' },
  host: { type: 'string', default: '127.0.0.1' },
  'database-port': { type: 'string', default: '0' },
  'bucket-port': { type: 'string', default: '0' },
  'queue-port': { type: 'string', default: '0' },
  data: { type: 'string', default: '.local' },
  'in-memory': { type: 'boolean', default: false },
  'no-demo': { type: 'boolean', default: false },
  'with-mail-server': { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Throws Misuse. */
export function portOf(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Misuse(`--${option} must be a number from 0 to 65535, not "${text}"`);
  return Number(text);
}

function hostOf(text: string): string {
  if (text === 'localhost') return '127.0.0.1';
  if (isIP(text) === 0)
    throw new Misuse(
      `--host must be an IP address of this machine, or 0.0.0.0 for all of them, not "${text}"`,
    );
  return text;
}

function requireDifferent(ports: number[]): void {
  const twice = ports.find((port, i) => port !== 0 && ports.indexOf(port) !== i);
  if (twice !== undefined)
    throw new Misuse(`Port ${twice} is given twice: each part needs a port of its own`);
}

function portsOf(values: Record<`${'' | 'database-' | 'bucket-' | 'queue-'}port`, string>) {
  const ports = {
    port: portOf('port', values.port),
    database_port: portOf('database-port', values['database-port']),
    bucket_port: portOf('bucket-port', values['bucket-port']),
    queue_port: portOf('queue-port', values['queue-port']),
  };
  requireDifferent(Object.values(ports));
  return ports;
}

/** Undefined when the help is wanted. Throws Misuse. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
  const help = 'npm start -- --help';
  const { values, positionals } = parseOptions(args, definitions, { help, positionals: true });
  if (values.help) return undefined;
  refuseSwallowed('npm start --', definitions, positionals, env);
  const unexpected = positionals[0];
  if (unexpected !== undefined)
    throw new Misuse(`Unexpected "${unexpected}": npm start takes options only; ${help} shows them`);
  if (values.watch && values['in-memory'])
    throw new Misuse('--watch keeps the data when it starts again, --in-memory keeps nothing: choose one');
  return {
    ...portsOf(values),
    host: hostOf(values.host),
    data: resolve(values.data),
    in_memory: values['in-memory'],
    demo: !values['no-demo'],
    with_mail_server: values['with-mail-server'],
    watch: values.watch,
    verbose: values.verbose,
  };
}
