import { readSignUp } from '#shared/config.ts';
import type { Kind } from './kind.ts';

/** Signing people in: the secret behind one-time codes, and who may sign up. */
export const sign_in = {
  variables: (_, { signing_keys, setting }) => ({
    CURSOR_KEYS: signing_keys,
    SIGN_UP: readSignUp(setting('signUp') ?? 'invitation', '-c signUp'),
  }),
  settings: { signUp: 'open, invitation (default) or closed: who may create an account' },
  local: ['SIGN_UP'],
} as const satisfies Kind;
