import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '#shared/api/client.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { families } from '../../../functions/catalogue.ts';
import { importArchive } from '../../scripts/import-archive.ts';
import { toMbox } from '../../scripts/mbox-writer.ts';
import { type SeededUser, seedAccount } from '../seed.ts';
import type { Stack } from '../stack.ts';
import { annotate, type DemoClients } from './annotate.ts';
import { demoMail } from './mail.ts';
import { type DemoAccount, type DemoUserKey, demoAccounts } from './people.ts';

/** Fills the demo workspace through the API, as its users would, and describes it in `demo.json`. */

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
    }[];
  }[];
}

interface Filled {
  account: DemoAccount;
  id: string;
  users: { key: DemoUserKey; seeded: SeededUser; mailbox_id: string | null }[];
}

async function createAccount(stack: Stack, account: DemoAccount): Promise<Filled> {
  const { table, clock } = stack.services;
  const { account_id, users } = await seedAccount(table, account.name, [...account.users], clock());
  const filled: Filled['users'] = [];
  for (const [i, person] of account.users.entries()) {
    const seeded = users[i] as SeededUser;
    const draft = {
      account_id,
      user_id: seeded.user.id,
      email_address: person.email_address,
      name: `${person.first_name}'s mail`,
    };
    const mailbox = person.mailbox ? await createMailbox(table, draft, clock()) : undefined;
    filled.push({ key: person.key, seeded, mailbox_id: mailbox?.id ?? null });
  }
  return { account, id: account_id, users: filled };
}

function describe(base_url: string, accounts: Filled[]): DemoFile {
  return {
    base_url,
    accounts: accounts.map(({ account, id, users }) => ({
      id,
      name: account.name,
      users: users.map(({ seeded, mailbox_id }) => ({
        id: seeded.user.id,
        name: seeded.user.name,
        email_address: seeded.user.email_address,
        role: seeded.user.role,
        time_zone: seeded.user.time_zone,
        read_key: seeded.read_key,
        write_key: seeded.write_key,
        session_token: seeded.session_token,
        mailbox_ids: mailbox_id ? [mailbox_id] : [],
      })),
    })),
  };
}

async function importMail(stack: Stack, accounts: Filled[]): Promise<void> {
  const mail = await demoMail(stack.services.clock());
  const owners = accounts.flatMap(({ users }) => users).filter((user) => user.mailbox_id !== null);
  await Promise.all(
    owners.map(({ key, seeded, mailbox_id }) => {
      const own = mail.filter((each) => (each.mailboxes as string[]).includes(key)).map((each) => each.raw);
      return importArchive(
        { base_url: stack.url, key: seeded.write_key, mailbox_id: mailbox_id as string },
        { file_name: 'demo.mbox', content_type: 'application/mbox', bytes: toMbox(own) },
      );
    }),
  );
}

function clientsOf(stack: Stack, accounts: Filled[]): DemoClients {
  const client = (key: string) => createClient(families, { base_url: stack.url, key });
  return Object.fromEntries(
    accounts.flatMap(({ users }) =>
      users.map(({ key, seeded }) => [key, { id: seeded.user.id, api: client(seeded.write_key) }]),
    ),
  ) as DemoClients;
}

/** Keeps the data of an earlier run; `fresh` when there is none. */
export async function fillDemo(stack: Stack, folder: string, fresh: boolean): Promise<DemoFile> {
  const file = join(folder, 'demo.json');
  if (!fresh && existsSync(file)) {
    const demo: DemoFile = { ...JSON.parse(await readFile(file, 'utf8')), base_url: stack.url };
    await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
    return demo;
  }
  console.log('Filling the demo workspace ...');
  const accounts: Filled[] = [];
  for (const account of demoAccounts) accounts.push(await createAccount(stack, account));
  await importMail(stack, accounts);
  await annotate(clientsOf(stack, accounts));
  const demo = describe(stack.url, accounts);
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
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
  console.log(`Documentation: ${demo.base_url}/docs\n`);
}
