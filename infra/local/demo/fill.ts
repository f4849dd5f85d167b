import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '#shared/api/client.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { newId } from '#shared/ids.ts';
import { families } from '../../../functions/catalogue.ts';
import { type Archive, followImport, type ImportTarget, startImport } from '../../scripts/import-archive.ts';
import { toMbox } from '../../scripts/mbox-writer.ts';
import { type SeededUser, seedAccount } from '../seed.ts';
import type { Stack } from '../stack.ts';
import { askForAccess } from './access.ts';
import { acmeRecords } from './acme.ts';
import { annotate } from './annotate.ts';
import { arrange, share } from './arrange.ts';
import { newJobs, withBuiltInAssistant } from './background.ts';
import { consult } from './consult.ts';
import { globexRecords } from './globex.ts';
import { demoMail, globexMail, labelled } from './mail.ts';
import { type DemoAccount, type DemoUserKey, demoAccounts } from './people.ts';
import { beginDemo, finishDemo } from './unfinished.ts';
import { Workspace } from './workspace.ts';

/**
 * Fills the demo workspace through the API, as its users would, and describes it in `demo.json`. A stored copy of the
 * table would be faster, but its mail would be old, all machines would share its keys, and it would have to be made again
 * with each change of what is stored. `npm start` is ready when all is there: answers, summaries and comments are what
 * people come to see, and half of them would look like a fault.
 */

export interface DemoFile {
  base_url: string;
  accounts: {
    id: string;
    name: string;
    users: {
      id: string;
      name: string;
      email_address: string;
      role: string;
      time_zone: string;
      read_key: string;
      write_key: string;
      session_token: string;
      mailbox_ids: string[];
      /** Of mail into the mailbox. */
      import_ids: string[];
    }[];
  }[];
}

interface FilledUser {
  key: DemoUserKey;
  seeded: SeededUser;
  mailbox_id: string | null;
  import_ids: string[];
}

interface Filled {
  account: DemoAccount;
  id: string;
  users: FilledUser[];
}

const recordsOf = { acme: acmeRecords, globex: globexRecords };
const mailOf = { acme: demoMail, globex: globexMail };

async function createAccount({ services }: Stack, account: DemoAccount, id: string): Promise<Filled> {
  const { table, clock } = services;
  const { users } = await seedAccount(table, account.name, [...account.users], clock(), id);
  const filled: FilledUser[] = [];
  for (const [i, person] of account.users.entries()) {
    const seeded = users[i] as SeededUser;
    const draft = {
      account_id: id,
      user_id: seeded.user.id,
      email_address: person.email_address,
      name: `${person.first_name}'s mail`,
      label_sync: person.label_sync ?? false,
    };
    const mailbox = person.mailbox ? await createMailbox(table, draft, clock()) : undefined;
    filled.push({ key: person.key, seeded, mailbox_id: mailbox?.id ?? null, import_ids: [] });
  }
  return { account, id, users: filled };
}

function describe(base_url: string, accounts: Filled[]): DemoFile {
  return {
    base_url,
    accounts: accounts.map(({ account, id, users }) => ({
      id,
      name: account.name,
      users: users.map(({ seeded, mailbox_id, import_ids }) => ({
        id: seeded.user.id,
        name: seeded.user.name,
        email_address: seeded.user.email_address,
        role: seeded.user.role,
        time_zone: seeded.user.time_zone,
        read_key: seeded.read_key,
        write_key: seeded.write_key,
        session_token: seeded.session_token,
        mailbox_ids: mailbox_id ? [mailbox_id] : [],
        import_ids,
      })),
    })),
  };
}

const targetOf = ({ url }: Stack, { seeded, mailbox_id }: FilledUser): ImportTarget => ({
  base_url: url,
  key: seeded.write_key,
  mailbox_id: mailbox_id as string,
});

/** Starts the imports of all archives: each into the mailbox of its user. */
async function sendMail(stack: Stack, { account, users }: Filled): Promise<void> {
  const now = stack.services.clock();
  const mail = await mailOf[account.key](now);
  const { damaged_archives } = recordsOf[account.key];
  const into = async (user: FilledUser, archive: Archive) => {
    user.import_ids.push(await startImport(targetOf(stack, user), archive));
  };
  await Promise.all(
    users.map(async (user) => {
      const own = mail.filter(({ mailboxes }) => mailboxes.some((key) => key === user.key));
      if (own.length === 0) return;
      const bytes = toMbox(own.map((each) => labelled(each, now)));
      await into(user, { file_name: 'demo.mbox', content_type: 'application/mbox', bytes });
      for (const { by, content, ...archive } of damaged_archives)
        if (by === user.key) await into(user, { ...archive, bytes: Buffer.from(content) });
    }),
  );
}

async function requireMail(stack: Stack, { users }: Filled): Promise<void> {
  for (const user of users)
    for (const id of user.import_ids) {
      const { status } = await followImport(targetOf(stack, user), id);
      if (status !== 'complete') throw new Error(`The mail of ${user.key} was not imported`);
    }
}

function workspaceOf({ url }: Stack, { users }: Filled): Workspace {
  const client = (key: string) => createClient(families, { base_url: url, key });
  return new Workspace(
    new Map(
      users.map(({ key, seeded, mailbox_id }) => {
        const { id, name } = seeded.user;
        const [api, session] = [client(seeded.write_key), client(seeded.session_token)];
        return [key, { id, name, mailbox_id, api, session }];
      }),
    ),
  );
}

/** Returns what follows when all mail has arrived, with what it sets off. */
async function beginAccount(stack: Stack, filled: Filled): Promise<() => Promise<void>> {
  const workspace = workspaceOf(stack, filled);
  const records = recordsOf[filled.account.key];
  const { groups, tags } = await arrange(workspace, records);
  await sendMail(stack, filled);
  return async () => {
    await requireMail(stack, filled);
    await annotate(workspace, records, tags, stack.services.clock());
    await share(workspace, records, groups, 'records');
    await askForAccess(workspace, records.share_requests);
    await consult(workspace, records);
  };
}

async function fillAccounts(stack: Stack, accounts: Filled[]): Promise<void> {
  const jobsDone = await newJobs(stack.services.table);
  const begun = await Promise.all(accounts.map((filled) => beginAccount(stack, filled)));
  await jobsDone();
  await Promise.all(begun.map((finish) => finish()));
  await jobsDone();
}

/** Milliseconds that a request of the fill may take: a machine that is busy with the first start is slow, not broken. */
const REQUEST_TIME = 240_000;

/** Keeps the data of an earlier run; `fresh` when there is none. */
export async function fillDemo(stack: Stack, folder: string, fresh: boolean): Promise<DemoFile> {
  const file = join(folder, 'demo.json');
  const write = async (demo: DemoFile): Promise<DemoFile> => {
    await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
    return demo;
  };
  if (!fresh && existsSync(file))
    return write({ ...JSON.parse(await readFile(file, 'utf8')), base_url: stack.url });
  console.log('Filling the demo workspace ...');
  const { table, clock } = stack.services;
  const ids = demoAccounts.map(() => newId(clock()));
  await beginDemo(table, ids);
  const accounts: Filled[] = [];
  for (const [i, account] of demoAccounts.entries())
    accounts.push(await createAccount(stack, account, ids[i] as string));
  await stack.withTimeout(REQUEST_TIME, () =>
    withBuiltInAssistant(stack.services, () => fillAccounts(stack, accounts)),
  );
  const demo = await write(describe(stack.url, accounts));
  await finishDemo(table);
  return demo;
}

/** A user of the demo with its keys. */
export function demoUser(demo: DemoFile, key: DemoUserKey): DemoFile['accounts'][number]['users'][number] {
  const { email_address } = demoAccounts.flatMap(({ users }) => users).find((user) => user.key === key) ?? {};
  const users = demo.accounts.flatMap((account) => account.users);
  const found = users.find((user) => user.email_address === email_address);
  if (!found) throw new Error(`The demo has no user ${key}`);
  return found;
}

/** Users and keys as a table for people. */
export function printDemo(demo: DemoFile): void {
  const rows = demo.accounts.flatMap((account) =>
    account.users.map((user) => [
      account.name,
      user.name,
      user.role,
      user.write_key,
      user.read_key,
      user.mailbox_ids[0] ?? '-',
    ]),
  );
  const table = [['account', 'user', 'role', 'read_write key', 'read key', 'mailbox'], ...rows];
  const widths = table[0]?.map((_, i) => Math.max(...table.map((row) => (row[i] as string).length))) ?? [];
  console.log('');
  for (const row of table)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    );
  console.log('\nSession tokens and all ids are in demo.json of the data folder.');
  console.log(`Documentation: ${demo.base_url}/docs`);
  console.log(`Workspace, with one of these keys: ${demo.base_url}/app\n`);
}
