import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Files of which `npm test` runs only some cases. */
const shortened = globSync('test/**/*.test.ts').filter((file) =>
  /from '[./]+\/support\/long\.ts'/.test(readFileSync(file, 'utf8')),
);

/** Random walks, faults at every call and long lists: `npm run test:long`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/**/*.long.test.ts', ...shortened],
    exclude: [],
    env: { ...base.test?.env, LONG_TESTS: 'true' },
    testTimeout: 120_000,
    // A demo is filled before some of them, on a machine with two busy cores.
    hookTimeout: 180_000,
  },
});
