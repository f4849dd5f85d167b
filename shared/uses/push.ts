import type { Kind } from './kind.ts';

/** The push services of browsers, Apple and Google, for the worker only. */
export const push = {
  variables(_, { setting, secret }) {
    const name = setting('pushSecret');
    return name ? { PUSH_CREDENTIALS: secret(name) } : {};
  },
  settings: {
    pushSecret: 'the secret with the keys of push services; without it there are no push messages',
  },
  local: ['PUSH_CREDENTIALS'],
  libraries: {
    'web-push': { bytes: 115_000, reason: 'encrypts messages to browsers' },
    jose: { bytes: 20_000, reason: 'signs tokens for push services' },
    'ipaddr.js': { bytes: 15_000, reason: 'tells which addresses are public' },
  },
} as const satisfies Kind;
