import { listApiKeys } from '#shared/domain/identity/credentials/store.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import { listAccountMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import type { Table } from '#shared/table/table.ts';
import { allAccounts } from '../all-accounts.ts';
import { columns, only } from './columns.ts';
import { command } from './command.ts';
import { findAccount } from './find.ts';
import { account } from './values.ts';

async function listAll(table: Table) {
  const accounts = await allAccounts(table);
  const json = { accounts: only(accounts, 'id', 'name', 'status', 'api_access', 'created_at') };
  if (accounts.length === 0)
    return { json, told: ['There is no account yet: npm run admin -- create-account --help'] };
  const rows = accounts.map(({ id, name, status, api_access }) => [id, name, status, `API ${api_access}`]);
  return { json, result: columns(rows), told: [] };
}

async function listOne(table: Table, id: string) {
  const [users, mailboxes, keys] = await Promise.all([
    listUsers(table, id),
    listAccountMailboxes(table, id),
    listApiKeys(table, id),
  ]);
  const email = new Map(users.map((user) => [user.id, user.email_address]));
  const of = (user_id: string) => email.get(user_id) ?? user_id;
  const api_keys = keys.map(({ row, last_used_at }) => ({ ...row, last_used_at }));
  return {
    json: {
      users: only(users, 'id', 'name', 'email_address', 'role', 'status'),
      mailboxes: only(mailboxes, 'id', 'user_id', 'email_address', 'name'),
      api_keys: only(api_keys, 'id', 'user_id', 'name', 'tier', 'prefix', 'expires_at', 'last_used_at'),
    },
    result: columns([
      ...users.map((user) => ['user', user.id, user.email_address, user.role, user.name]),
      ...mailboxes.map((box) => ['mailbox', box.id, of(box.user_id), box.email_address, box.name]),
      ...api_keys.map((key) => ['key', key.id, of(key.user_id), key.tier, `${key.prefix}... ${key.name}`]),
    ]),
    told: [],
  };
}

export const list = command({
  summary: 'Lists all accounts, or the users, mailboxes and keys of one.',
  options: {
    account: {
      ...account,
      about: 'one account; without it the whole table is read, which costs accordingly',
      schema: account.schema.optional(),
    },
  },
  run: async (given, table) =>
    given.account === undefined
      ? listAll(table)
      : listOne(table, (await findAccount(table, given.account)).id),
});
