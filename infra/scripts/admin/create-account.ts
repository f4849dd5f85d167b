import * as z from 'zod';
import { type Opening, openAccount } from '#shared/domain/identity/accounts/open.ts';
import { createApiKey } from '#shared/domain/identity/credentials/create.ts';
import { issueSession } from '#shared/domain/identity/sessions/issue.ts';
import { nameIn } from '#shared/domain/identity/users/create.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import type { Table } from '#shared/table/table.ts';
import { command } from './command.ts';
import { address, name, timeZone } from './values.ts';

/** The first credential of an owner, and how it is told. */
async function issueFirst(table: Table, { account, owner }: Opening, session: boolean, now: Date) {
  if (session) {
    const { session: issued, secret } = await issueSession(table, owner, null, now);
    return { ids: { session_id: issued.id }, secret, told: `session  ${issued.id}  it is shown this once:` };
  }
  const draft = { account_id: account.id, user_id: owner.id, name: 'First key', expires_at: null };
  const { row, secret } = await createApiKey(table, { ...draft, tier: 'read_write' }, now);
  return {
    ids: { api_key_id: row.id },
    secret,
    told: `key      ${row.id}  read_write; it is shown this once:`,
  };
}

const hostIn = (email: string) => email.slice(email.lastIndexOf('@') + 1);

export const createAccount = command({
  summary: 'Creates an account with its owner, a mailbox and a first key, which it prints.',
  options: {
    email: { placeholder: '<address>', about: 'of the owner, and of the mailbox', schema: address },
    name: {
      placeholder: '<name>',
      about: 'of the account, for example Acme (default the host of the address)',
      schema: name.optional(),
    },
    owner: {
      placeholder: '<name>',
      about: 'first and last name of the owner (default the beginning of the address)',
      schema: name.optional(),
    },
    'time-zone': timeZone,
    session: {
      about: 'a session in place of the key: its token is for operations that accept no API key',
      schema: z.boolean().default(false),
    },
  },
  async run({ email, session, ...given }, table, now) {
    const time_zone = given['time-zone'] ?? 'Etc/UTC';
    const person = { name: given.owner ?? nameIn(email), email_address: email, time_zone };
    const opening = await openAccount(
      table,
      { name: given.name ?? hostIn(email), owner: { ...person, week_starts_on: 'monday' } },
      now,
    );
    const { account, owner } = opening;
    const belongs = { account_id: account.id, user_id: owner.id };
    const draft = { ...belongs, email_address: owner.email_address, name: owner.name };
    const mailbox = await createMailbox(table, draft, now);
    const first = await issueFirst(table, opening, session, now);
    return {
      json: { ...belongs, mailbox_id: mailbox.id, ...first.ids, secret: first.secret },
      result: first.secret,
      told: [
        `account  ${account.id}  ${account.name}`,
        `owner    ${owner.id}  ${owner.name} <${owner.email_address}>`,
        `mailbox  ${mailbox.id}  ${mailbox.email_address}`,
        first.told,
      ],
    };
  },
});
