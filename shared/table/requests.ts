import type {
  BatchWriteCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { type Condition, conditionOf, type Wanted } from './conditions.ts';
import type { Key } from './keys.ts';
import { type IndexName, tableSchema } from './schema.ts';
import { Terms } from './terms.ts';
import { type Update, writeUpdate } from './updates.ts';

/** Requests to the table, and their form in DynamoDB's API. */

/** An item as stored: its key, and the attributes that the entity declares. */
export type Item = Key & {
  /** Seconds since 1970, after which DynamoDB deletes the item (schema.ts, `ttl`). */
  expires_epoch?: number;
};

/** Any item, to be written whole. */
export type AnyItem = Key & Record<string, unknown>;

/** The error for a write whose condition failed. */
export type Refusal = () => Error;

/**
 * One write of a transaction. When its condition can fail for a reason that the caller must know, `otherwise` gives the
 * error. Any other failed condition means that another request was faster: read and write again.
 */
export type Write = (
  | { put: AnyItem; when?: Condition }
  | { key: Key; update: Update<never> }
  | { delete: Key; when?: Condition }
  | { check: Key; when: Condition }
) & { otherwise?: Refusal };

export function update<T extends Key>(key: Key, change: Update<T>): Write {
  return { key, update: change as Update<never> };
}

/** A write without a condition. */
export type BatchWrite = { put: AnyItem } | { delete: Key };

export type BatchItem = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

export function batchItem(write: BatchWrite): BatchItem {
  return 'put' in write
    ? { PutRequest: { Item: write.put } }
    : { DeleteRequest: { Key: { PK: write.delete.PK, SK: write.delete.SK } } };
}

/** Keys of one partition, in their order. */
export interface Range {
  partition: string;
  /** Sort keys with this beginning, between two (both included), or before or after one. All without it. */
  sort?:
    | { begins: string }
    | { from: string; to: string }
    | { before: string }
    | { after: string }
    | undefined;
}

export interface QueryInput<T = never> extends Range {
  /** The partition is the hash key of the index, the sort key its range key. */
  index?: IndexName;
  /** Only matching items are returned; the others are read as well. */
  filter?: Wanted<NoInfer<T>> | undefined;
  /** Items read, before the filter. Always set: DynamoDB Local does not stop at 1 MB as AWS does. */
  limit: number;
  newest_first?: boolean;
  after?: Record<string, unknown> | undefined;
  consistent?: boolean;
}

export interface QueryPage<T> {
  items: T[];
  /** Where the next page begins; undefined at the end. */
  last: Record<string, unknown> | undefined;
}

function inRange(path: string, sort: NonNullable<Range['sort']>, terms: Terms): string {
  if ('begins' in sort) return `begins_with(${path}, ${terms.value(sort.begins)})`;
  if ('before' in sort) return `${path} < ${terms.value(sort.before)}`;
  if ('after' in sort) return `${path} > ${terms.value(sort.after)}`;
  return `${path} BETWEEN ${terms.value(sort.from)} AND ${terms.value(sort.to)}`;
}

function keyCondition({ partition, sort, index }: QueryInput, terms: Terms): string {
  const { hash, range } = index
    ? { hash: tableSchema.indexes[index].hash[0], range: tableSchema.indexes[index].range }
    : tableSchema;
  const inPartition = `${terms.path(undefined, hash.name)} = ${terms.value(partition)}`;
  if (!sort) return inPartition;
  const path = terms.path(undefined, range.name);
  return `${inPartition} AND ${inRange(path, sort, terms)}`;
}

export function queryInput(TableName: string, input: QueryInput): QueryCommandInput {
  const terms = new Terms();
  return {
    TableName,
    IndexName: input.index,
    KeyConditionExpression: keyCondition(input, terms),
    FilterExpression: conditionOf(input.filter)?.write(terms),
    ...terms.attributes,
    Limit: input.limit,
    ScanIndexForward: !input.newest_first,
    ExclusiveStartKey: input.after,
    ConsistentRead: input.index === undefined && input.consistent !== false,
  };
}

/** The condition of a put, delete or check. */
export function conditional(condition: Condition | undefined) {
  const terms = new Terms();
  const ConditionExpression = condition?.write(terms);
  return { ConditionExpression, ...terms.attributes };
}

export function transactItem(
  TableName: string,
  write: Write,
): NonNullable<TransactWriteCommandInput['TransactItems']>[number] {
  if ('put' in write) return { Put: { TableName, Item: write.put, ...conditional(write.when) } };
  if ('update' in write) return { Update: { TableName, Key: write.key, ...writeUpdate(write.update) } };
  if ('delete' in write) return { Delete: { TableName, Key: write.delete, ...conditional(write.when) } };
  const { ConditionExpression = '', ...attributes } = conditional(write.when);
  return { ConditionCheck: { TableName, Key: write.check, ConditionExpression, ...attributes } };
}
