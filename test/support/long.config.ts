import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Random walks, faults at every call and long lists: `npm run test:long`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/**/*.long.test.ts'],
    exclude: [],
    testTimeout: 120_000,
    // A demo is filled before some of them, on a machine with two busy cores.
    hookTimeout: 180_000,
  },
});
