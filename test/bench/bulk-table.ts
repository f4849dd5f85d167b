import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as immediate } from 'node:timers/promises';
import type { DynamoDBClient, ReturnValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '#shared/table/keys.ts';
import { tableSchema } from '#shared/table/schema.ts';
import {
  type AnyItem,
  type BatchWrite,
  type Condition,
  type Item,
  Table,
  type Update,
  type Write,
} from '#shared/table/table.ts';

/**
 * Writes batches straight into the file of a DynamoDB Local that runs: twenty times as many items a second as through
 * it. For what a bench finds, never for what it measures. A write of the database itself fails when the file changes
 * under it, so each waits for the one before.
 */

const { hash, range } = tableSchema.indexes.by_rank;

/** Items of one batch: the file is written a page at a time, so keys that are near each other are written together. */
const BULK = 20_000;
/** DynamoDB Local refuses to queue many writes. */
const FEW = 250;

/** Items that are written together. */
export const batchSize = (table: Table): number => (table instanceof BulkTable ? BULK : FEW);

const byKey = (a: AnyItem, b: AnyItem) => (a.PK === b.PK ? compared(a.SK, b.SK) : compared(a.PK, b.PK));
const compared = (a: string, b: string) => (a < b ? -1 : 1);

/** In its file, bytes are in base64 as in DynamoDB's JSON. */
function jsonOf(item: AnyItem): Buffer {
  const attributes = marshall(item, { removeUndefinedValues: true });
  const text = JSON.stringify(attributes, function (this: Record<string, unknown>, name, value) {
    const stored = this[name];
    return stored instanceof Uint8Array ? Buffer.from(stored).toString('base64') : value;
  });
  return Buffer.from(text);
}

/** Orders scans, and items of an index with equal keys; any 20 bytes do. */
const digest = (text: string) => createHash('sha1').update(text).digest();

const bytes = (value: unknown) => (typeof value === 'string' ? Buffer.from(value) : null);

export class BulkTable extends Table {
  readonly #file: DatabaseSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  #before: Promise<unknown> = Promise.resolve();
  /** Batches that were written, and those before the last transaction. */
  #batches = 0;
  #ended = 0;

  private constructor(name: string, client: DynamoDBClient, file: DatabaseSync) {
    super(name, client);
    this.#file = file;
    // Half a gigabyte of pages in memory: keys come in no order.
    file.exec('PRAGMA busy_timeout = 30000; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
    this.#put = file.prepare(
      `INSERT OR REPLACE INTO "${name}" (hashKey, rangeKey, hashValue, rangeValue, itemSize, ObjectJSON,
         hashRangeValue, indexKey_0, indexKey_1) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#delete = file.prepare(`DELETE FROM "${name}" WHERE hashKey = ? AND rangeKey = ?`);
  }

  /** `folder` is the one of the database. */
  static async open(name: string, client: DynamoDBClient, folder: string): Promise<BulkTable> {
    const { DatabaseSync } = await import('node:sqlite');
    return new BulkTable(name, client, new DatabaseSync(join(folder, 'shared-local-instance.db')));
  }

  override writeMany(writes: BatchWrite[]): Promise<void> {
    return this.#alone(async () => {
      this.#batches++;
      const puts = writes.flatMap((write) => ('put' in write ? [write.put] : []));
      this.#file.exec('BEGIN IMMEDIATE');
      for (const item of puts.sort(byKey)) this.#insert(item);
      for (const write of writes) if ('delete' in write) this.#delete.run(...this.#keyOf(write.delete));
      this.#file.exec('COMMIT');
      // Nothing else waits for the machine here: timers and sockets get their turn.
      await immediate();
    });
  }

  override put(item: AnyItem, when?: Condition): Promise<void> {
    return this.#alone(() => super.put(item, when));
  }

  override update<T extends Item = Item>(key: Key, change: Update<T>, returns?: ReturnValue): Promise<T> {
    return this.#alone(() => super.update(key, change, returns));
  }

  override delete(key: Key, when?: Condition): Promise<void> {
    return this.#alone(() => super.delete(key, when));
  }

  override transact(writes: Write[]): Promise<void> {
    return this.#alone(() => super.transact(writes));
  }

  /**
   * While DynamoDB Local writes batches alone, it keeps a reader of SQLite's log open, and the log never begins anew: 200 GB
   * for 100,000 threads. Each transaction ends it (https://www.sqlite.org/wal.html).
   */
  async endReader(): Promise<void> {
    if (this.#batches === this.#ended) return;
    const batches = this.#batches;
    await this.transact([{ put: { PK: 'LOG', SK: 'LOG' } }]);
    this.#ended = batches;
  }

  /** Takes the log into the file: the database would do it later, while requests wait for it. */
  async settle(): Promise<void> {
    await this.endReader();
    await this.#alone(async () => this.#file.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }

  close(): void {
    this.#file.close();
  }

  #alone<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#before.then(work);
    this.#before = done.catch(() => undefined);
    return done;
  }

  #keyOf({ PK, SK }: Key): [Buffer, Buffer] {
    return [Buffer.from(PK), Buffer.from(SK)];
  }

  #insert(item: AnyItem): void {
    const json = jsonOf(item);
    const hashes = [digest(item.PK), digest(item.SK)] as const;
    const indexed = [bytes(item[hash[0].name]), bytes(item[range.name])] as const;
    const both = digest(item.PK + item.SK);
    this.#put.run(...this.#keyOf(item), ...hashes, json.length, json, both, ...indexed);
  }
}
