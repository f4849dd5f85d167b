import { repairSum, sumDifferences } from '#shared/domain/collaboration/record-lists/repair-sums.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { Table } from '#shared/table/table.ts';
import { outcomeOf, runRepair } from './repair.ts';

/** `npm run repair:deals`: compares the deals of each pipeline with the sums that the dashboard shows. */

async function repairAccount(table: Table, account_id: string, write: boolean): Promise<number> {
  const owners = [account_id, ...(await listUsers(table, account_id)).map(({ id }) => id)];
  let left = 0;
  for (const owner of owners)
    for (const difference of await sumDifferences(table, { owner, record_type: 'deals' })) {
      const { name, stored, found, settled } = difference;
      const repaired = write && settled && (await repairSum(table, difference));
      if (!repaired) left++;
      const [is, should] = [stored ?? { record_count: 0, units: 0n }, found].map(
        ({ record_count, units }) => `${record_count} deals and ${units} ten-thousandths`,
      );
      console.log(`  ${owner}: ${name} is ${is}, found ${should}: ${outcomeOf(write, repaired)}`);
    }
  return left;
}

process.exitCode = await runRepair({
  command: 'repair:deals',
  does: 'Adds up the deals of each stage, and shows the sums that differ.',
  skips: 'A sum that changes meanwhile is skipped: run it again when\ndeals change less.',
  repairAccount,
});
