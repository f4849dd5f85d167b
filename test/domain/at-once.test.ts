import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { mapAtOnce } from '#shared/at-once.ts';

const numbers = Array.from({ length: 20 }, (_, i) => i);

it('maps in order, with so many calls at once', async () => {
  let [running, most] = [0, 0];
  const mapped = await mapAtOnce(numbers, 3, async (item, index) => {
    most = Math.max(most, ++running);
    await turn();
    running--;
    return item + index;
  });
  expect(mapped).toEqual(numbers.map((each) => 2 * each));
  expect(most).toBe(3);
  expect(await mapAtOnce([], 3, () => expect.unreachable())).toEqual([]);
});

it('waits for a slow one at the end alone', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: number[] = [];
  const mapping = mapAtOnce(numbers, 3, async (item) => {
    if (item === 1) await promise;
    done.push(item);
    if (item === 19) resolve();
  });
  await mapping;
  expect(done).toEqual([...numbers.filter((each) => each !== 1), 1]);
});

it('begins none after a failure', async () => {
  const begun: number[] = [];
  const mapping = mapAtOnce(numbers, 3, async (item) => {
    begun.push(item);
    await turn();
    if (item === 1) throw new Error('failed');
  });
  await expect(mapping).rejects.toThrow('failed');
  for (let i = 0; i < 10; i++) await turn();
  expect(begun.length).toBeLessThan(7);
});
