import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import long from './long.config.ts';

const LONG = 'test/**/*.long.test.ts';

/** What `npm test` and `npm run test:long` run, each file once and whole: `npm run test:all`. */
export default defineConfig({
  test: {
    ...long.test,
    include: ['test/**/*.test.ts'],
    exclude: (base.test?.exclude ?? []).filter((path) => path !== LONG),
  },
});
