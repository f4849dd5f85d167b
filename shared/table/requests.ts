import type {
  BatchWriteCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import type { IndexName } from './schema.ts';

/** What is asked of the table, and how DynamoDB wants to hear it. */

/** An item as stored: its key and whatever the entity keeps. */
export type Item = Key & Record<string, unknown>;

/** A condition or update in DynamoDB's own expression language, names and values beside it. */
export interface Expression {
  names?: Record<string, string>;
  values?: Record<string, unknown>;
}

export interface Condition extends Expression {
  condition: string;
}

export interface Update extends Expression {
  update: string;
  condition?: string;
}

/** The update that sets and removes attributes, whatever they are called. */
export function updateExpression(
  set: Record<string, unknown>,
  remove: string[] = [],
): Required<Omit<Update, 'condition'>> {
  const parts = [
    Object.keys(set).length > 0
      ? `SET ${Object.keys(set)
          .map((name) => `#${name} = :${name}`)
          .join(', ')}`
      : '',
    remove.length > 0 ? `REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : '',
  ];
  return {
    update: parts.filter((part) => part !== '').join(' '),
    names: Object.fromEntries([...Object.keys(set), ...remove].map((name) => [`#${name}`, name])),
    values: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
  };
}

export type Write =
  | { put: Item; when?: Condition }
  | { key: Key; update: Update }
  | { delete: Key; when?: Condition }
  | { check: Key; when: Condition };

/** A write that needs no condition. */
export type BatchWrite = { put: Item } | { delete: Key };

export type BatchItem = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

export function batchItem(write: BatchWrite): BatchItem {
  return 'put' in write
    ? { PutRequest: { Item: write.put } }
    : { DeleteRequest: { Key: { PK: write.delete.PK, SK: write.delete.SK } } };
}

export interface QueryInput extends Expression {
  index?: IndexName;
  /** The key condition. */
  where: string;
  filter?: string;
  /** Items read, before the filter. Always set: DynamoDB Local does not stop at 1 MB as AWS does. */
  limit: number;
  newest_first?: boolean;
  after?: Record<string, unknown> | undefined;
  consistent?: boolean;
}

export interface QueryPage<T> {
  items: T[];
  /** Where to go on, undefined at the end. */
  last: Record<string, unknown> | undefined;
}

export function expression(part: Expression) {
  return { ExpressionAttributeNames: part.names, ExpressionAttributeValues: part.values };
}

export function queryInput(TableName: string, input: QueryInput): QueryCommandInput {
  return {
    TableName,
    IndexName: input.index,
    KeyConditionExpression: input.where,
    FilterExpression: input.filter,
    ...expression(input),
    Limit: input.limit,
    ScanIndexForward: !input.newest_first,
    ExclusiveStartKey: input.after,
    ConsistentRead: input.index === undefined && input.consistent !== false,
  };
}

export function transactItem(
  TableName: string,
  write: Write,
): NonNullable<TransactWriteCommandInput['TransactItems']>[number] {
  if ('put' in write)
    return {
      Put: {
        TableName,
        Item: write.put,
        ConditionExpression: write.when?.condition,
        ...expression(write.when ?? {}),
      },
    };
  if ('update' in write)
    return {
      Update: {
        TableName,
        Key: write.key,
        UpdateExpression: write.update.update,
        ConditionExpression: write.update.condition,
        ...expression(write.update),
      },
    };
  const when = { ConditionExpression: write.when?.condition, ...expression(write.when ?? {}) };
  if ('delete' in write) return { Delete: { TableName, Key: write.delete, ...when } };
  return {
    ConditionCheck: { TableName, Key: write.check, ...when, ConditionExpression: write.when.condition },
  };
}
