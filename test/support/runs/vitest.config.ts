import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

/** Runs whose summary and exit status a test checks from outside. */
export default defineConfig({
  test: {
    include: ['test/support/runs/{flaky,undeclared}.ts'],
    setupFiles: base.test?.setupFiles ?? [],
    reporters: base.test?.reporters ?? [],
  },
});
