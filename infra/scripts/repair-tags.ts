import { differences, repairCount } from '#shared/domain/collaboration/tags/repair.ts';
import type { Table } from '#shared/table/table.ts';
import { outcomeOf, runRepair } from './repair.ts';

/** `npm run repair:tags`: compares the number of records with each tag with its counters. */

async function repairAccount(table: Table, account_id: string, write: boolean): Promise<number> {
  let left = 0;
  for await (const difference of differences(table, account_id)) {
    const { tag, name, stored, found, settled } = difference;
    const repaired = write && settled && (await repairCount(table, difference));
    if (!repaired) left++;
    const state = tag.deleted_at ? 'deleted tag' : 'tag';
    console.log(`  ${state} ${tag.id}: ${name} is ${stored}, found ${found}: ${outcomeOf(write, repaired)}`);
  }
  return left;
}

process.exitCode = await runRepair({
  command: 'repair:tags',
  does: 'Counts the records of each tag, and shows the counters that differ.',
  skips:
    'A counter that changes meanwhile is skipped: run it again when the tag is\napplied and removed less.',
  repairAccount,
});
