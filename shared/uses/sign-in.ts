import type { Kind } from './kind.ts';

/** What operations know that sign people in or renew their tokens. It is nothing in AWS. */
export const sign_in = {
  local: ['SIGN_IN_REQUESTS_PER_HOUR', 'ACCESS_TOKEN_SECONDS', 'REFRESH_TOKEN_SECONDS', 'SESSION_SECONDS'],
} as const satisfies Kind;
