import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import type { Session } from '#shared/domain/identity/sessions/session.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { changedFields } from './changed-fields.ts';
import { mailboxesOfUser } from './mailboxes.ts';
import type { LiveKind, News } from './news.ts';

/** Changes after which sockets may have to close. Which ones is read anew, from what decides. */

/** API keys that are deleted. An access token ends with every refresh: its session decides. */
export const credentials: LiveKind = {
  partition: 'KEY#',
  sort: '',
  removals: true,
  news({ before }): News[] {
    const { kind, account_id, user_id } = before as Credential;
    return kind === 'api_key' ? [{ kind: 'ended', account_id, user_id }] : [];
  },
};

export const sessions: LiveKind = {
  partition: keys.session('', '').PK,
  sort: keys.session('', '').SK,
  news({ before, after }): News[] {
    const session = (after ?? before) as Session;
    const { account_id, user_id } = session;
    return after && session.ended_at === undefined ? [] : [{ kind: 'ended', account_id, user_id }];
  },
};

const whatEnds = { status: ['status'], api_access: ['api_access'], credentials_from: ['credentials_from'] };

/** Users, and the access to mailboxes that their items hold. */
export const users: LiveKind = {
  partition: keys.user('', '').PK,
  sort: keys.user('', '').SK,
  news(change): News[] {
    const { id, account_id } = (change.after ?? change.before) as User;
    const ends = change.before !== undefined && changedFields(change, whatEnds).length > 0;
    return [
      ...(ends ? [{ kind: 'ended' as const, account_id, user_id: id }] : []),
      ...mailboxesOfUser(change),
    ];
  },
};

export const accounts: LiveKind = {
  partition: keys.account('').PK,
  sort: keys.account('').SK,
  news(change): News[] {
    const ends = change.before !== undefined && changedFields(change, whatEnds).length > 0;
    return ends ? [{ kind: 'ended', account_id: change.key.PK.split('#')[1] as string }] : [];
  },
};
