import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';

/** Families and number of operations of each row of the README's table. */
async function readTable(): Promise<{ families: string[]; count: number }[]> {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, section = ''] = readme.split('## What works today, and what is next\n');
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| (.+?) \| (\d+) \|/gm)];
  return rows.map(([, families = '', count]) => ({
    families: [...families.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    count: Number(count),
  }));
}

it('the README says what works: every family once, with its operations', async () => {
  const table = await readTable();
  const named = table.flatMap(({ families }) => families);
  const known = new Set(operations.map(({ family }) => family));
  expect(named.toSorted()).toEqual([...known].toSorted());
  for (const { families, count } of table)
    expect([families, operations.filter(({ family }) => families.includes(family)).length]).toEqual([
      families,
      count,
    ]);
});
