import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Table } from '#shared/table/table.ts';
import { operations } from '../../functions/catalogue.ts';
import { fillDemo } from '../../infra/local/demo/fill.ts';
import { removeUnfinished } from '../../infra/local/demo/unfinished.ts';
import { startStack } from '../../infra/local/stack.ts';
import { allAccounts } from '../../infra/scripts/all-accounts.ts';
import { crashAfter } from '../support/faults.ts';
import { mostly } from '../support/long.ts';
import { readDemo, testFolder } from './started.ts';

/** A start that is killed while it fills the demo, and the starts after it. */

async function keysOf(table: Table): Promise<string[]> {
  const keys: string[] = [];
  for (let after: Record<string, unknown> | undefined; ; ) {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ExclusiveStartKey: after }),
    );
    keys.push(...(page.Items ?? []).map(({ PK, SK }) => `${PK} ${SK}`));
    after = page.LastEvaluatedKey;
    if (!after) return keys.sort();
  }
}

describe('filling the demo, killed', () => {
  it('at any call, begins again without what was there', async () => {
    const data = await testFolder();
    const folder = join(data, 'data');
    mkdirSync(folder);
    const options = { folder, in_memory: false, port: 0, operations, prepared: removeUnfinished };
    const running = async <T>(work: (stack: Awaited<ReturnType<typeof startStack>>) => Promise<T>) => {
      const stack = await startStack(options);
      return work(stack).finally(() => stack.stop());
    };
    const empty = await running(({ services }) => keysOf(services.table));

    // The first account, and mail; the note of the fill, a user or mailbox, and later mail.
    for (const call of mostly([2, 300], [1, 30, 1_200])) {
      await running(async (stack) => {
        const { table } = stack.services;
        expect(await keysOf(table), `after call ${call}`).toEqual(empty);
        const crash = crashAfter(table, call);
        await expect(fillDemo(stack, folder, true)).rejects.toThrow();
        crash.remove();
        expect(crash.hit).toBe(true);
      });
    }
    await running(async (stack) => {
      await fillDemo(stack, folder, true);
      expect((await allAccounts(stack.services.table)).map(({ name }) => name).sort()).toEqual([
        'Acme',
        'Globex',
      ]);
    });
    const kept = await running(({ services }) => allAccounts(services.table));
    expect(kept.map(({ id }) => id).sort()).toEqual(
      readDemo(folder)
        .accounts.map(({ id }) => id)
        .sort(),
    );
  }, 600_000);
});
