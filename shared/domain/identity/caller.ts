import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Expected } from '#shared/domain/platform/versions/version.ts';

/** The authenticated user of a request: every read and write happens as this user. */
export interface Caller {
  account: Account;
  user: User;
  credential: { kind: 'api_key' | 'session'; tier: 'read' | 'read_write'; id: string };
}

/** The context of work for a user. */
export interface CallerContext<Ports extends object = object> extends Context<Ports> {
  caller: Caller;
  /** What the request says of the record that it changes. */
  expects?: Expected | undefined;
  /** The slug of an agent that acts, with the rights of the caller. */
  by_agent?: string;
}

/** The user who acts; null for an agent and for the service itself. */
export const actorOf = ({ caller, by_agent }: Partial<Pick<CallerContext, 'caller' | 'by_agent'>>) =>
  by_agent ? null : (caller?.user.id ?? null);
