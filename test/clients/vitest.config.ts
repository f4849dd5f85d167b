import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Clients by outside generators, which Maven and npm bring: `npm run test:clients`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/clients/*.test.ts'],
    exclude: [],
    testTimeout: 120_000,
    // The first run downloads the generators.
    hookTimeout: 600_000,
  },
});
