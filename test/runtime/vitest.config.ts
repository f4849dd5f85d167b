import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Every bundle under the runtime client of AWS, which npm brings: `npm run test:runtime`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/runtime/*.test.ts'],
    exclude: [],
    // Each is a process of its own.
    maxConcurrency: 2,
    testTimeout: 60_000,
    // Installs the client, bundles and synthesizes.
    hookTimeout: 180_000,
  },
});
