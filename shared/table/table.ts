import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type ReturnValue,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';
import type { IndexName } from './schema.ts';

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

export type Write =
  | { put: Item; when?: Condition }
  | { key: Key; update: Update }
  | { delete: Key; when?: Condition }
  | { check: Key; when: Condition };

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

/** A condition did not hold. `item` is what was there instead, when one item was asked. */
export class ConditionFailed extends Error {
  readonly item: Item | undefined;
  /** Index of the first write of a transaction whose condition failed. */
  readonly index: number;

  constructor(item: Item | undefined, index = 0) {
    super('A condition on the table did not hold');
    this.name = 'ConditionFailed';
    this.item = item;
    this.index = index;
  }
}

/** Items in one transaction at most: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const TRANSACTION_LIMIT = 100;
const BATCH_GET_LIMIT = 100;
const CONFLICT_TRIES = 10;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
const backoff = (attempt: number) => pause(Math.random() * Math.min(1_000, 20 * 2 ** attempt));

function expression(part: Expression) {
  return { ExpressionAttributeNames: part.names, ExpressionAttributeValues: part.values };
}

/** The single table. Reads are consistent unless they go through an index. */
export class Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;

  constructor(name: string, client: DynamoDBClient) {
    this.name = name;
    this.client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  }

  async get<T = Item>(key: Key): Promise<T | undefined> {
    const answer = await this.client.send(
      new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }),
    );
    return answer.Item as T | undefined;
  }

  /** The items that exist, in no particular order. Keys may repeat. */
  async getMany<T = Item>(wanted: Key[]): Promise<T[]> {
    const distinct = [...new Map(wanted.map((key) => [`${key.PK} ${key.SK}`, key])).values()];
    const batches: Key[][] = [];
    for (let i = 0; i < distinct.length; i += BATCH_GET_LIMIT)
      batches.push(distinct.slice(i, i + BATCH_GET_LIMIT));
    return (await Promise.all(batches.map((batch) => this.getBatch<T>(batch)))).flat();
  }

  private async getBatch<T>(batch: Key[]): Promise<T[]> {
    const found: T[] = [];
    let left: Record<string, unknown>[] = batch.map((key) => ({ ...key }));
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt);
      if (attempt > CONFLICT_TRIES) throw new Error('The table kept leaving keys unread');
      const request = { [this.name]: { Keys: left, ConsistentRead: true } };
      const answer = await this.client.send(new BatchGetCommand({ RequestItems: request }));
      found.push(...((answer.Responses?.[this.name] ?? []) as T[]));
      left = answer.UnprocessedKeys?.[this.name]?.Keys ?? [];
    }
    return found;
  }

  async query<T = Item>(input: QueryInput): Promise<QueryPage<T>> {
    const answer = await this.client.send(
      new QueryCommand({
        TableName: this.name,
        IndexName: input.index,
        KeyConditionExpression: input.where,
        FilterExpression: input.filter,
        ...expression(input),
        Limit: input.limit,
        ScanIndexForward: !input.newest_first,
        ExclusiveStartKey: input.after,
        ConsistentRead: input.index === undefined && input.consistent !== false,
      }),
    );
    return { items: (answer.Items ?? []) as T[], last: answer.LastEvaluatedKey };
  }

  /** Every item of a partition whose sort key begins with `prefix`, page by page. */
  async *pages<T = Item>(partition: string, prefix: string): AsyncGenerator<T[]> {
    let after: Record<string, unknown> | undefined;
    do {
      const page: QueryPage<T> = await this.query<T>({
        where: 'PK = :partition AND begins_with(SK, :prefix)',
        values: { ':partition': partition, ':prefix': prefix },
        limit: 1_000,
        after,
      });
      yield page.items;
      after = page.last;
    } while (after);
  }

  /** For lists that are answered whole. */
  async all<T = Item>(partition: string, prefix: string): Promise<T[]> {
    const found: T[] = [];
    for await (const page of this.pages<T>(partition, prefix)) found.push(...page);
    return found;
  }

  /** Throws ConditionFailed with the item that is there instead. */
  async put(item: Item, when?: Condition): Promise<void> {
    await this.conditional(() =>
      this.client.send(
        new PutCommand({
          TableName: this.name,
          Item: item,
          ConditionExpression: when?.condition,
          ...expression(when ?? {}),
          ReturnValuesOnConditionCheckFailure: when ? 'ALL_OLD' : undefined,
        }),
      ),
    );
  }

  /** Gives the item as it is afterwards. Throws ConditionFailed with the item that is there instead. */
  async update<T = Item>(key: Key, update: Update, returns: ReturnValue = 'ALL_NEW'): Promise<T> {
    const answer = await this.conditional(() =>
      this.client.send(
        new UpdateCommand({
          TableName: this.name,
          Key: key,
          UpdateExpression: update.update,
          ConditionExpression: update.condition,
          ...expression(update),
          ReturnValues: returns,
          ReturnValuesOnConditionCheckFailure: update.condition ? 'ALL_OLD' : undefined,
        }),
      ),
    );
    return answer.Attributes as T;
  }

  async delete(key: Key): Promise<void> {
    await this.client.send(new DeleteCommand({ TableName: this.name, Key: key }));
  }

  private async conditional<R>(send: () => Promise<R>): Promise<R> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The document client gives this item in DynamoDB's own JSON.
      throw new ConditionFailed(error.Item ? (unmarshall(error.Item) as Item) : undefined);
    }
  }

  /** All writes or none. Tries again while another transaction holds an item. Throws ConditionFailed. */
  async transact(writes: Write[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.client.send(
          new TransactWriteCommand({ TransactItems: writes.map((write) => this.transactItem(write)) }),
        );
        return;
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const reasons = error.CancellationReasons ?? [];
        const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
        if (failed >= 0) throw new ConditionFailed(undefined, failed);
        const conflict = reasons.some((reason) => reason.Code === 'TransactionConflict');
        if (!conflict || attempt >= CONFLICT_TRIES) throw error;
        await backoff(attempt);
      }
    }
  }

  private transactItem(write: Write): NonNullable<TransactWriteCommandInput['TransactItems']>[number] {
    const TableName = this.name;
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
}

export const absent: Condition = { condition: 'attribute_not_exists(PK)' };
export const present: Condition = { condition: 'attribute_exists(PK)' };
