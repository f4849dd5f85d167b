import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Their tests have a budget: docs/CONTRIBUTING.md. */
const OPERATIONS = 'test/operations/';

const inSeconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

/** The seconds of a worker that tests took: all of them, those of operations, and the slowest files. */
export function durationsOf(modules: readonly TestModule[]): string[] {
  const files = modules.map((module) => ({
    name: module.relativeModuleId,
    time: module.diagnostic().duration,
  }));
  const total = (of: typeof files) => of.reduce((sum, { time }) => sum + time, 0);
  const operations = files.filter(({ name }) => name.startsWith(OPERATIONS));
  const slowest = files.toSorted((a, b) => b.time - a.time).slice(0, SHOWN);
  return [
    `Worker time: ${inSeconds(total(files))} in ${files.length} files`,
    `  ${inSeconds(total(operations))} in ${operations.length} of ${OPERATIONS}`,
    ...slowest.map(({ name, time }) => `  ${inSeconds(time)} ${name}`),
  ];
}

/** Says at the end where the time went. */
export default class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length > SHOWN) console.log(`\n${durationsOf(modules).join('\n')}`);
  }
}
