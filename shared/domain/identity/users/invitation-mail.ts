import { below } from '#shared/addresses.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { MailKind } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { keys } from '#shared/table/keys.ts';
import { findUsers } from './store.ts';

interface Invitation {
  account_id: string;
  user_id: string;
  invited_by: string;
}

/** Invites a person into an account. Undefined for whoever is there meanwhile, or no longer invited. */
export const invitationMail: MailKind<Invitation> = {
  name: 'invitation',
  async write({ table, config }, { account_id, user_id, invited_by }) {
    const [account, users] = await Promise.all([
      table.get<Account>(keys.account(account_id)),
      findUsers(table, account_id, [user_id, invited_by]),
    ]);
    const user = users.find(({ id }) => id === user_id);
    const by = users.find(({ id }) => id === invited_by)?.name ?? 'Somebody';
    if (account?.status !== 'active' || user?.status !== 'invited') return undefined;
    const page = below(config.addresses.app, 'sign-in');
    return {
      to: user.email_address,
      subject: `${by} invites you to ${account.name}`,
      parts: [
        { paragraph: `${by} invites you to work with the team ${account.name}.` },
        {
          paragraph:
            'To join, sign in with the address that this mail was sent to: you get a code by mail, and no password is ' +
            'needed. Whoever does not sign in does not join.',
        },
        ...(page ? [{ link: { url: `${page}?account_id=${account_id}`, label: 'Sign in' } }] : []),
        { paragraph: 'If you do not know the team, ignore this mail.' },
      ],
    };
  },
};
