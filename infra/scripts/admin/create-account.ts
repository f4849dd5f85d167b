import { openAccount } from '#shared/domain/identity/accounts/open.ts';
import { createApiKey } from '#shared/domain/identity/credentials/create.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { command } from './command.ts';
import { address, name, timeZone } from './values.ts';

export const createAccount = command({
  summary: 'Creates an account with its owner, a mailbox and a first key, which it prints.',
  options: {
    name: { placeholder: '<name>', about: 'of the account, for example Acme', schema: name },
    owner: { placeholder: '<name>', about: 'first and last name of the owner', schema: name },
    email: { placeholder: '<address>', about: 'of the owner, and of the mailbox', schema: address },
    'time-zone': timeZone,
  },
  async run(given, table, now) {
    const { account, owner } = await openAccount(
      table,
      {
        name: given.name,
        owner: {
          name: given.owner,
          email_address: given.email,
          time_zone: given['time-zone'] ?? 'Etc/UTC',
          week_starts_on: 'monday',
        },
      },
      now,
    );
    const belongs = { account_id: account.id, user_id: owner.id };
    const mailbox = await createMailbox(
      table,
      { ...belongs, email_address: owner.email_address, name: owner.name },
      now,
    );
    const key = await createApiKey(
      table,
      { ...belongs, name: 'First key', tier: 'read_write', expires_at: null },
      now,
    );
    return {
      json: { ...belongs, mailbox_id: mailbox.id, api_key_id: key.row.id, secret: key.secret },
      result: key.secret,
      told: [
        `account  ${account.id}  ${account.name}`,
        `owner    ${owner.id}  ${owner.name} <${owner.email_address}>`,
        `mailbox  ${mailbox.id}  ${mailbox.email_address}`,
        `key      ${key.row.id}  read_write; it is shown this once:`,
      ],
    };
  },
});
