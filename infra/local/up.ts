import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readAddresses } from '#shared/addresses.ts';
import { billingProblem, readBillingSettings } from '#shared/billing-settings.ts';
import { assistantProblem, mailProblem, readAssistant, readMail } from '#shared/config.ts';
import type { DemoFile } from './demo/fill.ts';
import { describeFailure } from './failure.ts';
import { localMail } from './mail.ts';
import type { LiveMail } from './mail-server/live.ts';
import { requireProgram } from './mail-server/programs.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { onLostParent } from './parent.ts';
import { requireFree } from './place.ts';
import { requirePushCredentials } from './push-keys.ts';
import { claimFolder, releaseFolder, writeRun } from './run-file.ts';
import type { Stack } from './stack.ts';
import { watch } from './watch.ts';

/** Runs before anything starts, so that the error is the only output. */
function requireSettings({ data }: Options): void {
  const problem =
    assistantProblem(readAssistant(process.env)) ??
    mailProblem(readMail(localMail(data, process.env))) ??
    billingProblem(readBillingSettings(process.env));
  if (problem) throw new Error(problem);
  readAddresses(process.env);
  requirePushCredentials(process.env);
}

/** Also runs first. */
async function requireFreePorts({ host, ...ports }: Options): Promise<void> {
  await requireFree({ host, port: ports.port }, 'port');
  if (!process.env.DYNAMODB_ENDPOINT) await requireFree({ host, port: ports.database_port }, 'database-port');
  await requireFree({ host, port: ports.bucket_port }, 'bucket-port');
  await requireFree({ host, port: ports.queue_port }, 'queue-port');
}

/** Empty when writing the file was interrupted. */
function readAccounts(file: string): DemoFile['accounts'] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).accounts;
  } catch {
    return [];
  }
}

/** Whether the table contains the workspace of this file: it may describe a deleted table. */
async function hasDemo({ services }: Stack, file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const { keys } = await import('#shared/table/keys.ts');
  const accounts = readAccounts(file);
  const found = await Promise.all(accounts.map(({ id }) => services.table.get(keys.account(id))));
  return found.length > 0 && found.every((account) => account !== undefined);
}

/** How to get a key without the demo. */
function firstKey(data: string): string {
  const quoted = /\s/.test(data) ? `"${data}"` : data;
  const folder = data === resolve('.local') ? '' : ` --data ${quoted}`;
  return `No demo workspace. Sign up with POST /accounts, as README.md shows, or make a first account and its key: npm run create-account -- --name Acme --owner "Ada Lovelace" --email ada@acme.example${folder}`;
}

/** Mail servers on this machine, which the service may reach. */
async function startMail({ in_memory, data }: Options): Promise<LiveMail> {
  process.env.MAIL_ALLOW_PRIVATE_HOSTS = 'true';
  const { startLiveMail } = await import('./mail-server/live.ts');
  return startLiveMail(in_memory ? undefined : join(data, 'mail-server'));
}

async function useMail(mail: LiveMail, { url }: Stack, demo: DemoFile | undefined): Promise<void> {
  const { connectDemo } = await import('./mail-server/connect.ts');
  if (demo) await connectDemo(url, demo, mail);
  console.log(describeMail(mail));
}

const describeMail = ({ address, user, password, imap_port, smtp_port }: LiveMail) =>
  `Mail of ${address} is on this machine: IMAP at localhost:${imap_port}, SMTP at localhost:${smtp_port}, both with TLS; user ${user}, password ${password}`;

/** What can be refused before anything starts. */
async function claim(options: Options): Promise<void> {
  if (options.with_mail_server) requireProgram('dovecot', 'dovecot-imapd');
  requireSettings(options);
  await requireFreePorts(options);
  mkdirSync(options.data, { recursive: true });
  claimFolder(options.data);
}

async function run(options: Options): Promise<void> {
  process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  writeRun(options.data, {});
  console.log(`Starting (data in ${options.in_memory ? 'memory' : options.data}) ...`);
  // Imported late: reading options and checking the port needs no libraries.
  const [{ startStack }, { operations }, { fillDemo, printDemo }, { removeUnfinished }] = await Promise.all([
    import('./stack.ts'),
    import('../../functions/catalogue.ts'),
    import('./demo/fill.ts'),
    import('./demo/unfinished.ts'),
  ]);
  const folder = options.in_memory ? await mkdtemp(join(tmpdir(), 'workspace-')) : options.data;
  const demoFile = join(options.data, 'demo.json');
  // A run in memory leaves the file of the stored workspace unchanged.
  const keptDemo = options.in_memory && existsSync(demoFile) ? readFileSync(demoFile) : undefined;
  let stopping = false;
  let stack: Stack | undefined;
  let mail: LiveMail | undefined;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await stack?.stop();
    await mail?.stop();
    // Synchronous up to the exit: whatever is still starting can write no more.
    if (options.in_memory) rmSync(folder, { recursive: true, force: true });
    if (keptDemo) writeFileSync(demoFile, keptDemo);
    releaseFolder(options.data);
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  onLostParent(() => void stop(0));
  const fail = (error: unknown) => {
    if (stopping) return;
    console.error(describeFailure(error));
    void stop(1);
  };
  try {
    const spawned = (database_pid: number) => writeRun(options.data, { database_pid });
    const log = options.verbose ? console.log : undefined;
    const prepared = removeUnfinished;
    if (options.with_mail_server) mail = await startMail(options);
    stack = await startStack({ ...options, folder, operations, log, spawned, prepared, lost: fail });
    const fresh = options.in_memory || !(await hasDemo(stack, demoFile));
    const demo = options.demo ? await fillDemo(stack, options.data, fresh) : undefined;
    if (demo) printDemo(demo);
    else console.log(firstKey(options.data));
    if (mail) await useMail(mail, stack, demo);
    const { url, variables } = stack;
    if (variables.MAIL_OUTBOX) console.log(`Mail that the service sends is in ${variables.MAIL_OUTBOX}`);
    writeRun(options.data, { ready: { url, host: options.host, variables } });
    console.log(`ready ${stack.url}`);
  } catch (error) {
    fail(error);
  }
}

async function main(args: string[]): Promise<void> {
  const options = readOptions(args, process.env);
  if (!options) return console.log(HELP);
  await claim(options);
  await (options.watch ? watch(args) : run(options));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(describeFailure(error));
  process.exit(1);
});
