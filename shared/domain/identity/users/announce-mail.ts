import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist } from '#shared/table/table.ts';
import type { User } from './user.ts';

const wantsMail = ({ notification_settings }: User) =>
  Object.values(notification_settings).some(({ email }) => email);

/** The account says it first, so no notification of a user who wants mail is overlooked. */
export async function announceMail({ table }: Context, account: Account, after: User): Promise<void> {
  if (account.has_notification_mail || !wantsMail(after)) return;
  const set = { has_notification_mail: true as const };
  await table.update<Account>(keys.account(account.id), { set, when: mustExist }, 'NONE');
}
