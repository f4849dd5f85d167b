import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Random walks, faults at every call and long lists: `npm run test:long`. */
export default defineConfig({
  test: { ...base.test, include: ['test/**/*.long.test.ts'], exclude: [], testTimeout: 120_000 },
});
