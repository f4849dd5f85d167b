import {
  counterDifferences,
  repairCounter,
} from '#shared/domain/collaboration/record-lists/repair-counters.ts';
import { countedDealLists } from '#shared/domain/crm/deals/counted-lists.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { Table } from '#shared/table/table.ts';
import { outcomeOf, runRepair } from './repair.ts';

/** `npm run repair:deals`: compares the deals with the counters of their lists, and with the sums that the dashboard shows. */

const shown = (value: unknown) => (value instanceof Set ? `${value.size} deals` : String(value ?? 'missing'));

async function repairAccount(table: Table, account_id: string, write: boolean): Promise<number> {
  const user_ids = (await listUsers(table, account_id)).map(({ id }) => id);
  const counted = await countedDealLists(table, account_id, user_ids);
  let left = 0;
  for (const owner of [account_id, ...user_ids])
    for (const difference of await counterDifferences(table, { owner, record_type: 'deals', counted })) {
      const { key, name, stored, found, settled } = difference;
      const repaired = write && settled && (await repairCounter(table, difference));
      if (!repaired) left++;
      const outcome = outcomeOf(write, repaired);
      console.log(`  ${key.PK} ${key.SK}: ${name} is ${shown(stored)}, found ${shown(found)}: ${outcome}`);
    }
  return left;
}

process.exitCode = await runRepair({
  command: 'repair:deals',
  does: 'Counts the deals of each list, adds up those of each stage, and shows the counters and sums that differ.',
  skips: 'A counter that changes meanwhile is skipped: run it again when\ndeals change less.',
  repairAccount,
});
