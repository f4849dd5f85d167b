import type { Kind } from './kind.ts';

/** Making and checking one-time codes, which needs the secret of their hashes. It is nothing in AWS. */
export const codes = {
  variables: (_, { signing_keys }) => ({ CURSOR_KEYS: signing_keys }),
} as const satisfies Kind;
