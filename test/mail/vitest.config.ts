import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Mailboxes at Dovecot and Postfix, real mail servers, which must be installed: `npm run test:mail`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/mail/*.test.ts'],
    exclude: [],
    testTimeout: 120_000,
  },
});
