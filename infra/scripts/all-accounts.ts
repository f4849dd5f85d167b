import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { keys } from '#shared/table/keys.ts';
import { scanPage as readPage } from '#shared/table/scan.ts';
import type { Table } from '#shared/table/table.ts';

const SCAN_PAGE = 1_000;

/** A page of all items, in no order. */
export async function scanPage(table: Table, after: Record<string, unknown> | undefined) {
  const { items, last } = await readPage<Record<string, unknown>>(table, { after, limit: SCAN_PAGE });
  return { items, next: last };
}

/** Every account. Nothing lists accounts, so this reads the whole table, which costs accordingly. */
export async function allAccounts(table: Table): Promise<Account[]> {
  const { PK, SK } = keys.account('');
  const accounts: Account[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page: ScanCommandOutput = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        FilterExpression: 'SK = :meta AND begins_with(PK, :account)',
        ExpressionAttributeValues: { ':meta': SK, ':account': PK },
        Limit: SCAN_PAGE,
        ExclusiveStartKey: after,
      }),
    );
    accounts.push(...((page.Items ?? []) as Account[]));
    after = page.LastEvaluatedKey;
  } while (after);
  return accounts.sort((a, b) => (a.id < b.id ? -1 : 1));
}
