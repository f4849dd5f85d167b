import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';

/** Who asks: every read and write is done as this user. */
export interface Caller {
  account: Account;
  user: User;
  credential: { kind: 'api_key' | 'session'; tier: 'read' | 'read_write'; id: string };
}

/** Work that is done for somebody. */
export interface CallerContext<Ports extends object = object> extends Context<Ports> {
  caller: Caller;
}
