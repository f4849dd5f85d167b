import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

/** Runs that a test looks at from outside: what they say at their end, and whether they fail. */
export default defineConfig({
  test: {
    include: ['test/support/runs/{flaky,undeclared}.ts'],
    setupFiles: base.test?.setupFiles ?? [],
    reporters: base.test?.reporters ?? [],
  },
});
