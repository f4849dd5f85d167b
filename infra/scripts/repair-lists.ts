import { ALL } from '#shared/domain/collaboration/record-lists/entry.ts';
import { ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import {
  counterDifferences,
  repairCounter,
} from '#shared/domain/collaboration/record-lists/repair-counters.ts';
import { contactLists } from '#shared/domain/crm/contacts/lists.ts';
import { countedDealLists } from '#shared/domain/crm/deals/counted-lists.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { outcomeOf, runRepair } from './repair.ts';

/**
 * `npm run repair:lists`: compares contacts, organizations and deals with the counters of their lists, and deals with the sums that the
 * dashboard shows.
 */

const shown = (value: unknown) => (value instanceof Set ? `${value.size} deals` : String(value ?? 'missing'));

/** The lists of each type that have a number. */
async function countedLists(
  table: Table,
  account_id: string,
  user_ids: string[],
): Promise<[RecordType, string[]][]> {
  const common = [ALL, ...user_ids.map(ownerList)];
  return [
    ['contacts', [...common, contactLists.unemployed]],
    ['organizations', common],
    ['deals', await countedDealLists(table, account_id, user_ids)],
  ];
}

async function repairAccount(table: Table, account_id: string, write: boolean): Promise<number> {
  const user_ids = (await listUsers(table, account_id)).map(({ id }) => id);
  const all = await countedLists(table, account_id, user_ids);
  let left = 0;
  for (const owner of [account_id, ...user_ids])
    for (const [record_type, counted] of all)
      for (const difference of await counterDifferences(table, { owner, record_type, counted })) {
        const { key, name, stored, found, settled } = difference;
        const repaired = write && settled && (await repairCounter(table, difference));
        if (!repaired) left++;
        const outcome = outcomeOf(write, repaired);
        console.log(`  ${key.PK} ${key.SK}: ${name} is ${shown(stored)}, found ${shown(found)}: ${outcome}`);
      }
  return left;
}

process.exitCode = await runRepair({
  command: 'repair:lists',
  does: 'Counts the contacts, organizations and deals of each list, adds up the deals of each stage, and shows the counters and sums that differ.',
  skips: 'A counter that changes meanwhile is skipped: run it again when\nrecords change less.',
  repairAccount,
});
