import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { durationsOf } from '../support/durations.ts';

const ran = (relativeModuleId: string, duration: number) =>
  ({ relativeModuleId, diagnostic: () => ({ duration }) }) as TestModule;

it('the end of a run names the slowest files, and sums up all and those of operations', () => {
  const quick = Array.from({ length: 12 }, (_, i) => ran(`test/stores/${i}.test.ts`, 100 + i));
  const said = durationsOf([
    ...quick,
    ran('test/operations/tags/a.test.ts', 2_340),
    ran('test/b.test.ts', 900),
  ]);
  expect(said.slice(0, 5)).toEqual([
    'Worker time: 4.5 s in 14 files',
    '  2.3 s in 1 of test/operations/',
    '  2.3 s test/operations/tags/a.test.ts',
    '  0.9 s test/b.test.ts',
    '  0.1 s test/stores/11.test.ts',
  ]);
  expect(said).toHaveLength(12);
});
