import { describe, expect, it } from 'vitest';
import { Turns } from '#shared/turns.ts';

describe('messages that name one id', () => {
  const turns = new Turns();
  const log: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`);
      await new Promise((done) => setTimeout(done, 2));
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const begun = (order: string[]) => order.filter((line) => line.endsWith('begins'));

  it('are processed in their order, and others in parallel', async () => {
    log.length = 0;
    const answers = await Promise.all([
      turns.take(['a'], work('first')),
      turns.take(['b', 'a'], work('answer')),
      turns.take(['c'], work('other')),
      turns.take(['d', 'b'], work('answer to the answer')),
    ]);
    expect(answers).toEqual(['first', 'answer', 'other', 'answer to the answer']);
    expect(log.slice(0, 2)).toEqual(['first begins', 'other begins']);
    expect(log.indexOf('answer begins')).toBeGreaterThan(log.indexOf('first ends'));
    expect(log.indexOf('answer to the answer begins')).toBeGreaterThan(log.indexOf('answer ends'));
  });

  it('continue when one fails, and its sender gets the error', async () => {
    log.length = 0;
    const failed = turns.take(['a'], work('bad', true));
    const next = turns.take(['a', 'a'], work('good'));
    await expect(failed).rejects.toThrow('bad');
    expect(await next).toBe('good');
    expect(begun(log)).toEqual(['bad begins', 'good begins']);
  });

  it('wait for nothing when none of them is being processed', async () => {
    log.length = 0;
    await turns.take(['a'], work('one'));
    await turns.take([], work('two'));
    expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });
});
