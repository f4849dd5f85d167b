import { readFlag, readSignUp } from '#shared/config.ts';
import type { Kind } from './kind.ts';

/** What operations know that sign people in, or renew their tokens. It is nothing in AWS. */
export const sign_in = {
  variables: (_, { setting }) => ({
    SIGN_UP: readSignUp(setting('signUp') ?? 'invitation', '-c signUp'),
    WORK_ACCOUNTS_ONLY: String(readFlag(setting('workAccountsOnly') ?? 'false', '-c workAccountsOnly')),
  }),
  settings: {
    signUp: 'open, invitation (default) or closed: who may create an account',
    workAccountsOnly: 'true: addresses of public mail services cannot sign up',
  },
  local: [
    'SIGN_UP',
    'WORK_ACCOUNTS_ONLY',
    'SIGN_IN_REQUESTS_PER_HOUR',
    'ACCESS_TOKEN_SECONDS',
    'REFRESH_TOKEN_SECONDS',
    'SESSION_SECONDS',
  ],
} as const satisfies Kind;
