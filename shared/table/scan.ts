import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, QueryPage, Table } from './table.ts';

/** Reading all of the table: for what belongs to all accounts at once. It costs accordingly. */

interface Scan {
  after: Record<string, unknown> | undefined;
  /** Items read. Always set, as for queries (requests.ts). */
  limit: number;
  /** Besides the key; all without it. */
  attributes?: readonly string[];
}

function projection(attributes: readonly string[] | undefined) {
  if (!attributes) return {};
  const names = ['PK', 'SK', ...attributes].map((name, i) => [`#a${i}`, name]);
  return {
    ProjectionExpression: names.map(([alias]) => alias).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names) as Record<string, string>,
  };
}

/** A page of all items, in no order: AWS ends one after 1 MB. Not consistent, at half the price. */
export async function scanPage<T = Item>(
  table: Table,
  { after, limit, attributes }: Scan,
): Promise<QueryPage<T>> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      Limit: limit,
      ExclusiveStartKey: after,
      ...projection(attributes),
    }),
  );
  return { items: Items as T[], last: LastEvaluatedKey };
}
