import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/browser/**',
      'test/clients/**',
      'test/runtime/**',
      'test/caldav/**',
      'test/mail/**',
      'test/**/*.long.test.ts',
    ],
    reporters: ['default', './test/support/retried.ts', './test/support/durations.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts', 'test/support/watch-responses.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'threads',
    // A worker keeps modules from file to file: loading them again was a quarter of the time.
    isolate: false,
    // One more than the cores that CI has: a worker waits for the database half of the time.
    maxWorkers: 3,
    env: {
      POWERTOOLS_METRICS_DISABLED: 'true',
      POWERTOOLS_LOG_LEVEL: process.env.LOG ?? 'CRITICAL',
      AWS_LAMBDA_FUNCTION_NAME: 'test',
    },
  },
});
