import type { Config } from '#shared/config.ts';

/** What decides it of user and account. */
interface Asker {
  user: { assistant_enabled: boolean };
  account: { features: { ask_assistant: boolean } };
}

/**
 * Whether the assistant answers the user: the account has the feature on, the user has not opted out, and the
 * deployment has an assistant (docs/specification/assistant.md, "Who may ask").
 */
export function mayAsk({ user, account }: Asker, { assistant }: Pick<Config, 'assistant'>): boolean {
  return account.features.ask_assistant && user.assistant_enabled && assistant.provider !== 'none';
}
