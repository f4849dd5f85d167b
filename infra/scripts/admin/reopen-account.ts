import { reopenAccount as reopen, usersWithoutAddress } from '#shared/domain/identity/accounts/reopen.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { Misuse } from '../../cli/options.ts';
import { command } from './command.ts';
import { findAccount } from './find.ts';
import { account as accountOption } from './values.ts';

export const reopenAccount = command({
  summary: 'Opens a closed account again, before it is erased.',
  options: { account: { ...accountOption, about: 'the account; list-closed shows those that are closed' } },
  async run(given, table, now) {
    const account = await findAccount(table, given.account);
    const { id: account_id, name } = account;
    try {
      await reopen(table, account, now);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const state = account.status === 'active' ? 'is not closed' : 'is being erased';
      throw new Misuse(`The account ${account_id} ${state}`);
    }
    const without = await usersWithoutAddress(table, account_id);
    return {
      json: { account_id, without_address: without.map(({ id }) => id) },
      result: account_id,
      told: [
        `${name} is open again: keys and sessions that have not expired work as before. What the closing ended, billing and imports, stays ended.`,
        ...without.map(
          ({ id, email_address }) => `${id} cannot sign in: ${email_address} has another user now.`,
        ),
      ],
    };
  },
});
