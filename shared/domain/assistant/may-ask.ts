import type { Config } from '../../config.ts';
import type { Account } from '../accounts/account.ts';
import type { User } from '../users/user.ts';

/**
 * Whether the assistant answers the user: the account has the feature on, the user has not opted out, and the
 * deployment has an assistant (specification, "Comments" rule 2; families.md, section 17).
 */
export function mayAsk(
  { user, account }: { user: User; account: Account },
  { assistant }: Pick<Config, 'assistant'>,
): boolean {
  return account.features.ask_assistant && user.assistant_enabled && assistant.provider !== 'none';
}
