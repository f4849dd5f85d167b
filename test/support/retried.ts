import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Tests that passed after a retry. */
export function retriedIn(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('passed')].flatMap((test) => {
      const retries = test.diagnostic()?.retryCount ?? 0;
      return retries > 0 ? [`${module.relativeModuleId} > ${test.fullName} (retries: ${retries})`] : [];
    }),
  );
}

/** Names and counts them at the end, and adds their names to the file `RETRIED` for the summary of several runs. */
export default class RetriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = retriedIn(modules);
    if (retried.length === 0) return;
    console.log(`\nPassed only after a retry: ${retried.length}`);
    for (const name of retried) console.log(`  ${name}`);
    if (process.env.RETRIED) appendFileSync(process.env.RETRIED, retried.map((name) => `${name}\n`).join(''));
  }
}
