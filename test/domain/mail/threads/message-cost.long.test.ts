import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureFanOut } from '../../../bench/threads/fan-out.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('items of a message', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace?.stop());

  const costOf = async (readers: number) => {
    const { first, later } = await measureFanOut(workspace.table, readers, workspace.ctx.now, 1);
    return { first: first.writes, reply: later.writes };
  };

  it('are those of lists of states and participants for each reader, and those of words once', async () => {
    const [one, two, many] = [await costOf(1), await costOf(2), await costOf(200)];
    const [first, reply] = [two.first - one.first, two.reply - one.reply];
    // The entry and its places in lists of states and participants; a reply moves each place.
    expect(first).toBeLessThanOrEqual(13);
    expect(reply).toBeLessThanOrEqual(2 * first - 1);
    expect(many).toEqual({ first: one.first + 199 * first, reply: one.reply + 199 * reply });
    expect(many.first / 200).toBeLessThanOrEqual(14);
    expect(many.reply / 200).toBeLessThanOrEqual(24);
    expect(one.first).toBeLessThanOrEqual(90);
    console.log({ one, two, many });
  });
});
