import { existsSync, readFileSync } from 'node:fs';
import { Misuse, parseOptions } from '../../cli/options.ts';
import { refuseSwallowed } from '../../cli/swallowed.ts';

export const HELP = `Imports mail into a mailbox, or records from a table, vCards or a calendar, through the API.

  npm run import -- --mailbox <id> [--key <api key>] [--url <base url>] <file or folder>
  npm run import -- --mailbox <id> [--key <api key>] [--url <base url>] --follow [<import id>]
  npm run import -- [--type <type>] [--apply] [--key <api key>] [--url <base url>] <.csv, .tsv or .vcf file>
  npm run import -- --calendar <id> [--apply] [--key <api key>] [--url <base url>] <.ics file>

  <file or folder>  an mbox, an .eml file, or a .zip or folder with .mbox and .eml files at any depth, such as a
                    Gmail Takeout
  --type            what the rows are: contacts (the default), organizations, deals or tasks
  --calendar        the id of the calendar that gets the events: GET /calendars lists them
  --apply           stores the records; without it the file is only tried
  --mailbox         the id of the mailbox: GET /mailboxes lists them
  --key             an API key with write access; without it, the environment variable WORKSPACE_API_KEY
  --url             default: the base_url of .local/demo.json, else http://127.0.0.1:3000
  --follow          shows the progress of an import that was started before: of the newest one without its id
  --help            this text

An interrupted command does not interrupt the import: --follow shows it again.
`;

/** In place of the id of an import. */
export const NEWEST = 'newest';

const recordTypes = ['contacts', 'organizations', 'deals', 'tasks'] as const;

export interface TableOptions {
  key: string;
  base_url: string;
  table: string;
  record_type: (typeof recordTypes)[number] | 'calendar_events';
  calendar_id?: string;
  apply: boolean;
}

export interface ImportOptions {
  mailbox_id: string;
  key: string;
  base_url: string;
  /** What is imported, or the import that is followed. */
  source: { path: string } | { follow: string | typeof NEWEST };
}

const definitions = {
  mailbox: { type: 'string' },
  key: { type: 'string' },
  url: { type: 'string' },
  follow: { type: 'string' },
  type: { type: 'string' },
  calendar: { type: 'string' },
  apply: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function defaultUrl(): string {
  const file = '.local/demo.json';
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).base_url : 'http://127.0.0.1:3000';
}

function sourceOf(positionals: string[], follow: string | undefined): ImportOptions['source'] {
  const [path, ...others] = positionals;
  if (others.length > 0) throw new Misuse(`One file or folder at a time: ${positionals.join(', ')}`);
  if (follow !== undefined && path !== undefined) throw new Misuse('Give either a file or --follow');
  if (follow !== undefined) return { follow };
  if (path === undefined) throw new Misuse('The file or folder to import is missing');
  return { path };
}

/** `parseArgs` has no options with or without a value. */
function named(args: string[]): string[] {
  const isBare = (arg: string, next: string | undefined) =>
    arg === '--follow' && (next === undefined || next.startsWith('--'));
  return args.map((arg, index) => (isBare(arg, args[index + 1]) ? `--follow=${NEWEST}` : arg));
}

const isTable = (path: string | undefined) => /\.(csv|tsv|vcf|ics)$/i.test(path ?? '');

function calendarIn(path: string, calendar_id: string | undefined, apply: boolean) {
  if (!calendar_id)
    throw new Misuse('--calendar <id> is missing: GET /calendars lists the calendars of a key');
  return { table: path, record_type: 'calendar_events' as const, calendar_id, apply };
}

/** Undefined for files of mail. */
function tableIn(
  positionals: string[],
  {
    type = 'contacts',
    calendar,
    apply,
  }: { type?: string | undefined; calendar?: string | undefined; apply: boolean },
): Omit<TableOptions, 'key' | 'base_url'> | undefined {
  const [path] = positionals;
  if (path === undefined || !isTable(path)) return undefined;
  if (positionals.length > 1) throw new Misuse(`One file at a time: ${positionals.join(', ')}`);
  if (/\.ics$/i.test(path)) return calendarIn(path, calendar, apply);
  const record_type = recordTypes.find((each) => each === type);
  if (!record_type) throw new Misuse(`--type is one of ${recordTypes.join(', ')}, not ${type}`);
  return { table: path, record_type, apply };
}

/** Undefined for `--help`. Throws Misuse, which names what is missing. */
export function readImportOptions(
  args: string[],
  env: NodeJS.ProcessEnv,
): ImportOptions | TableOptions | undefined {
  const { values, positionals } = parseOptions(named(args), definitions, {
    help: 'npm run import -- --help',
    positionals: true,
  });
  if (values.help) return undefined;
  refuseSwallowed('npm run import --', definitions, positionals, env);
  const key = values.key ?? env.WORKSPACE_API_KEY;
  const table = tableIn(positionals, values);
  if (!table && !values.mailbox)
    throw new Misuse('--mailbox <id> is missing: GET /mailboxes lists the mailboxes of a key');
  if (!key)
    throw new Misuse('--key <api key> is missing; the environment variable WORKSPACE_API_KEY works as well');
  const api = { key, base_url: values.url ?? defaultUrl() };
  if (table) return { ...api, ...table };
  return {
    ...api,
    mailbox_id: values.mailbox ?? '',
    source: sourceOf(positionals, values.follow),
  };
}
