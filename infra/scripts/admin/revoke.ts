import { createInterface } from 'node:readline';
import * as z from 'zod';
import { revokeApiKey, revokeSecret } from '#shared/domain/identity/credentials/delete.ts';
import { findApiKey } from '#shared/domain/identity/credentials/store.ts';
import type { Table } from '#shared/table/table.ts';
import { Misuse } from '../../cli/options.ts';
import { command } from './command.ts';
import { findAccount } from './find.ts';
import { account } from './values.ts';

/** The first line of stdin: other users of a machine see the arguments of a process. */
async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) console.error('Paste the secret, and press Enter:');
  const input = createInterface({ input: process.stdin });
  for await (const line of input) {
    input.close();
    return line.trim();
  }
  return '';
}

async function bySecret(table: Table, now: Date) {
  const revoked = await revokeSecret(table, await readSecret(), now);
  if (!revoked) throw new Misuse('There is no such key or session: it was revoked before, or never existed');
  const { id, account_id, user_id, kind, used_at = null } = revoked;
  return {
    json: { id, account_id, user_id, kind, used_at },
    told: [
      `Revoked the ${kind === 'session' ? 'session' : 'API key'} ${id} of user ${user_id} in account ${account_id}, last used ${used_at ?? 'never'}`,
    ],
  };
}

async function byId(table: Table, account_id: string, key: string) {
  await findAccount(table, account_id);
  const row = await findApiKey(table, account_id, key);
  if (!row)
    throw new Misuse(
      `The account has no key ${key}: npm run admin -- list --account ${account_id} shows them`,
    );
  await revokeApiKey(table, row);
  const { id, user_id, name, prefix } = row;
  return {
    json: { id, account_id, user_id, kind: 'api_key' },
    told: [`Revoked the key ${name} (${prefix}...) of user ${user_id}`],
  };
}

export const revoke = command({
  summary: 'Revokes a key: by its id, or by the secret when only that is known.',
  options: {
    account: { ...account, schema: account.schema.optional() },
    key: {
      placeholder: '<id>',
      about: 'the id of the key; list shows it',
      schema: z.string().trim().toLowerCase().optional(),
    },
    secret: {
      about: 'reads the secret of a key or a session from stdin, instead of --account and --key',
      schema: z.boolean().default(false),
    },
  },
  async run({ account: account_id, key, secret }, table, now) {
    if (secret && !account_id && !key) return bySecret(table, now);
    if (secret || !account_id || !key) throw new Misuse('Give either --account and --key, or --secret');
    return byId(table, account_id, key);
  },
});
