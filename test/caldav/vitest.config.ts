import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Calendars at Radicale, a real CalDAV server, which this installs by pip: `npm run test:caldav`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/caldav/*.test.ts'],
    exclude: [],
    testTimeout: 60_000,
    // Installs the server.
    hookTimeout: 180_000,
  },
});
