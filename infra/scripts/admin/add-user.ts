import { timeZoneOf } from '#shared/domain/identity/accounts/account.ts';
import { addUser as add } from '#shared/domain/identity/users/add.ts';
import { command } from './command.ts';
import { findAccount } from './find.ts';
import { account as accountOption, address, name, oneOf, timeZone } from './values.ts';

export const addUser = command({
  summary: 'Adds a user to an account, and prints its id.',
  options: {
    account: accountOption,
    name: { placeholder: '<name>', about: 'first and last name', schema: name },
    email: { placeholder: '<address>', about: 'of the user', schema: address },
    role: {
      placeholder: '<role>',
      about: 'admin or member (default)',
      schema: oneOf(['admin', 'member']).default('member'),
    },
    'time-zone': timeZone,
  },
  async run(given, table, now) {
    const account = await findAccount(table, given.account);
    const { id: account_id } = account;
    const user = await add(
      table,
      account_id,
      {
        name: given.name,
        email_address: given.email,
        role: given.role,
        time_zone: given['time-zone'] ?? timeZoneOf(account),
        week_starts_on: 'monday',
      },
      now,
    );
    return {
      json: { account_id, user_id: user.id },
      result: user.id,
      told: [`${user.name} <${user.email_address}> is a new ${user.role}, without a key and a mailbox:`],
    };
  },
});
