import type { Account } from './accounts/account.ts';
import type { User } from './users/user.ts';

/** Who asks: every read and write is done as this user. */
export interface Caller {
  account: Account;
  user: User;
  credential: { kind: 'api_key' | 'session'; tier: 'read' | 'read_write'; id: string };
}
