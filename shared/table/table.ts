import { randomUUID } from 'node:crypto';
import type { DynamoDBClient, ReturnValue } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { addedOnce } from './additions.ts';
import { retry } from './backoff.ts';
import type { Condition } from './conditions.ts';
import { ConditionFailed, mayPass, Throttled, understood } from './failures.ts';
import { type Key, nameOfKey } from './keys.ts';
import {
  type AnyItem,
  type BatchItem,
  type BatchWrite,
  batchItem,
  conditional,
  type Item,
  type QueryInput,
  type QueryPage,
  queryInput,
  transactItem,
  type Write,
} from './requests.ts';
import { type Update, writeUpdate } from './updates.ts';

export { at } from './at.ts';
export * from './conditions.ts';
export { ConditionFailed, ItemTooLarge } from './failures.ts';
export type { AnyItem, BatchWrite, Item, QueryInput, QueryPage, Range, Refusal } from './requests.ts';
export { update, type Write } from './requests.ts';
export { type Update, unlessThere } from './updates.ts';

/**
 * Items in one transaction: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const TRANSACTION_LIMIT = 100;
const BATCH_GET_LIMIT = 100;
const BATCH_WRITE_LIMIT = 25;
const COUNT_PAGE = 5_000;
/** How many times as many items as are wanted, where a filter leaves out some: most filters leave nearly all. */
const LEFT_OUT = 1.1;

const countPage = ({ filter }: { filter?: unknown }, enough: number) =>
  Math.min(COUNT_PAGE, filter ? Math.ceil(LEFT_OUT * enough) : enough);

/** The single table. Reads are consistent unless they go through an index. */
export class Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;

  constructor(name: string, client: DynamoDBClient) {
    this.name = name;
    this.client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    // It copies all that is sent and received for a logger, even where there is none (docs/decisions/0030).
    this.client.middlewareStack.remove('loggerMiddleware');
  }

  async get<T = Item>(key: Key): Promise<T | undefined> {
    const output = await this.client.send(
      new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }),
    );
    return output.Item as T | undefined;
  }

  /** The existing items, in no particular order. Keys may repeat. Without `consistent` at half the price. */
  async getMany<T = Item>(wanted: Key[], options: { consistent?: boolean } = {}): Promise<T[]> {
    const consistent = options.consistent !== false;
    const byName = new Map<string, Key>();
    for (const key of wanted) byName.set(nameOfKey(key), key);
    const distinct = [...byName.values()];
    if (distinct.length === 0) return [];
    if (distinct.length <= BATCH_GET_LIMIT) return this.getBatch<T>(distinct, consistent);
    const batches: Key[][] = [];
    for (let i = 0; i < distinct.length; i += BATCH_GET_LIMIT)
      batches.push(distinct.slice(i, i + BATCH_GET_LIMIT));
    return (await Promise.all(batches.map((batch) => this.getBatch<T>(batch, consistent)))).flat();
  }

  private async getBatch<T>(batch: Key[], ConsistentRead: boolean): Promise<T[]> {
    const found: T[] = [];
    let left: Record<string, unknown>[] = batch;
    await this.persist(async () => {
      const request = { [this.name]: { Keys: left, ConsistentRead } };
      const output = await this.client.send(new BatchGetCommand({ RequestItems: request }));
      found.push(...((output.Responses?.[this.name] ?? []) as T[]));
      left = output.UnprocessedKeys?.[this.name]?.Keys ?? [];
      if (left.length > 0) throw new Throttled();
    });
    return found;
  }

  /** Puts and deletes without conditions, not in a transaction. Each key may occur once. */
  async writeMany(writes: BatchWrite[]): Promise<void> {
    const batches: BatchWrite[][] = [];
    for (let i = 0; i < writes.length; i += BATCH_WRITE_LIMIT)
      batches.push(writes.slice(i, i + BATCH_WRITE_LIMIT));
    await Promise.all(batches.map((batch) => this.writeBatch(batch.map(batchItem))));
  }

  private async writeBatch(batch: BatchItem[]): Promise<void> {
    let left = batch;
    await this.persist(async () => {
      const output = await this.client.send(new BatchWriteCommand({ RequestItems: { [this.name]: left } }));
      left = output.UnprocessedItems?.[this.name] ?? [];
      if (left.length > 0) throw new Throttled();
    });
  }

  async query<T = Item>(input: QueryInput<T>): Promise<QueryPage<T>> {
    const output = await this.client.send(new QueryCommand(queryInput(this.name, input as QueryInput)));
    return { items: (output.Items ?? []) as T[], last: output.LastEvaluatedKey };
  }

  /** The number of items, or at least `enough`, in at most so many `queries`. Reads the items but does not transfer them. */
  async count<T = Item>(
    input: Omit<QueryInput<T>, 'limit' | 'after'>,
    enough = Number.POSITIVE_INFINITY,
    queries = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    let count = 0;
    let sent = 0;
    let after: Record<string, unknown> | undefined;
    do {
      const output: QueryCommandOutput = await this.client.send(
        new QueryCommand({
          ...queryInput(this.name, { ...(input as QueryInput), limit: countPage(input, enough), after }),
          Select: 'COUNT',
        }),
      );
      count += output.Count ?? 0;
      after = output.LastEvaluatedKey;
    } while (after && count < enough && ++sent < queries);
    return count;
  }

  /** Every item of a partition, or those whose sort key begins with `prefix`, page by page. */
  async *pages<T = Item>(
    partition: string,
    prefix?: string,
    options: Partial<Pick<QueryInput, 'newest_first' | 'limit'>> = {},
  ): AsyncGenerator<T[]> {
    let after: Record<string, unknown> | undefined;
    do {
      const page: QueryPage<T> = await this.query<T>({
        partition,
        sort: prefix === undefined ? undefined : { begins: prefix },
        limit: 1_000,
        after,
        ...options,
      });
      yield page.items;
      after = page.last;
    } while (after);
  }

  /** For lists that are returned whole. */
  async all<T = Item>(partition: string, prefix?: string): Promise<T[]> {
    const found: T[] = [];
    for await (const page of this.pages<T>(partition, prefix)) found.push(...page);
    return found;
  }

  /** Throws ConditionFailed with the item that is there instead. */
  async put(item: AnyItem, when?: Condition): Promise<void> {
    await this.persist(() =>
      this.client.send(
        new PutCommand({
          TableName: this.name,
          Item: item,
          ...conditional(when),
          ReturnValuesOnConditionCheckFailure: when ? 'ALL_OLD' : undefined,
        }),
      ),
    );
  }

  /** Returns the item after the update. Throws ConditionFailed with the item that is there instead. */
  async update<T extends Item = Item>(
    key: Key,
    change: Update<T>,
    returns: ReturnValue = 'ALL_NEW',
  ): Promise<T> {
    const output = await this.persist(() =>
      this.client.send(
        new UpdateCommand({
          TableName: this.name,
          Key: key,
          ...writeUpdate(change),
          ReturnValues: returns,
          ReturnValuesOnConditionCheckFailure: change.when ? 'ALL_OLD' : undefined,
        }),
      ),
    );
    return output.Attributes as T;
  }

  /** Throws ConditionFailed with the item that is there instead. */
  async delete(key: Key, when?: Condition): Promise<void> {
    await this.persist(() =>
      this.client.send(
        new DeleteCommand({
          TableName: this.name,
          Key: key,
          ...conditional(when),
          ReturnValuesOnConditionCheckFailure: when ? 'ALL_OLD' : undefined,
        }),
      ),
    );
  }

  /** All writes or none, if there are any. Throws ConditionFailed, or an `otherwise` when every failed write has one. */
  async transact(all: Write[]): Promise<void> {
    if (all.length === 0) return;
    const writes = addedOnce(all);
    const TransactItems = writes.map((write) => transactItem(this.name, write));
    // The same token for all tries: a transaction whose response was lost does not conflict with itself.
    const ClientRequestToken = randomUUID();
    try {
      await this.persist(() =>
        this.client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken })),
      );
    } catch (error) {
      throw error instanceof ConditionFailed ? refusalOf(writes, error) : error;
    }
  }

  /** Retries while other calls interfere; throws the errors of failures.ts. */
  private persist<R>(send: () => Promise<R>): Promise<R> {
    const attempt = () =>
      send().catch((error: unknown) => {
        throw understood(error);
      });
    return retry(attempt, mayPass);
  }
}

/** Does not depend on the order of the writes: a plain conflict is read again before an `otherwise` counts. */
function refusalOf(writes: Write[], error: ConditionFailed): Error {
  const refusals = error.failed.map((index) => writes[index]?.otherwise);
  const [first] = refusals;
  return first && refusals.every((each) => each !== undefined) ? first() : error;
}
