import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  type GetRecordsCommandOutput,
  GetShardIteratorCommand,
  type Shard,
  type ShardIteratorType,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { describeError, getLogger } from '#shared/log.ts';
import type { Stream, StreamFilter } from '#shared/queues/queues.ts';
import { clientOptions } from '#shared/services.ts';
import type { StreamRecord } from '#shared/table/stream.ts';
import { asEvent } from './streamed-values.ts';

/** The stream of DynamoDB Local with Lambda's event source: filters, collects for a second, calls the worker. */

export type StreamWorker = (event: { Records: StreamRecord[] }) => Promise<void>;

interface Followed {
  name: string;
  settings: Stream;
  work: StreamWorker;
}

/** Milliseconds between two looks: Lambda has four a second. */
const POLL = 250;
/** Looks after which new shards are searched: they come every four hours. */
const SHARDS_EVERY = 240;
const TRIES = 3;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const begins = (text: string, prefixes: readonly string[] | undefined) =>
  prefixes?.some((prefix) => text.startsWith(prefix)) ?? true;

/** As the filters in the cloud (infra/aws/streams.ts). */
export function passes({ eventName, dynamodb }: StreamRecord, filters: readonly StreamFilter[]): boolean {
  const { PK, SK } = (dynamodb?.Keys ?? {}) as Record<'PK' | 'SK', { S: string }>;
  return filters.some(
    ({ partitions, sorts, removals }) =>
      begins(PK.S, partitions) && begins(SK.S, sorts) && (!removals || eventName === 'REMOVE'),
  );
}

/** The records of a stream from now on, shard by shard. */
export class StreamReader {
  readonly #client: DynamoDBStreamsClient;
  readonly #stream: string;
  readonly #known = new Set<string>();
  readonly #iterators = new Map<string, string>();
  /** Of the last record that was read of a shard. */
  readonly #last = new Map<string, string>();
  #looks = 0;

  constructor(endpoint: string, stream: string) {
    this.#client = new DynamoDBStreamsClient(clientOptions(endpoint));
    this.#stream = stream;
  }

  async #shards(): Promise<Shard[]> {
    const found: Shard[] = [];
    let after: string | undefined;
    do {
      const { StreamDescription } = await this.#client.send(
        new DescribeStreamCommand({ StreamArn: this.#stream, ExclusiveStartShardId: after }),
      );
      found.push(...(StreamDescription?.Shards ?? []));
      after = StreamDescription?.LastEvaluatedShardId;
    } while (after);
    return found;
  }

  async #begin(ShardId: string, from: ShardIteratorType, SequenceNumber?: string): Promise<void> {
    const { ShardIterator } = await this.#client.send(
      new GetShardIteratorCommand({
        ...{ StreamArn: this.#stream, ShardId, ShardIteratorType: from },
        ...(SequenceNumber ? { SequenceNumber } : {}),
      }),
    );
    if (ShardIterator) this.#iterators.set(ShardId, ShardIterator);
  }

  /** Shards that come later are read from their beginning. */
  async search(from: 'LATEST' | 'TRIM_HORIZON'): Promise<void> {
    for (const { ShardId = '', SequenceNumberRange } of await this.#shards()) {
      if (this.#known.has(ShardId)) continue;
      this.#known.add(ShardId);
      if (from === 'TRIM_HORIZON' || !SequenceNumberRange?.EndingSequenceNumber)
        await this.#begin(ShardId, from);
    }
  }

  /** An iterator may become useless: then on from the last record that was read. */
  async #read(shard: string, ShardIterator: string): Promise<GetRecordsCommandOutput | undefined> {
    try {
      return await this.#client.send(new GetRecordsCommand({ ShardIterator }));
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException) && !(error instanceof ExpiredIteratorException))
        throw error;
      const last = this.#last.get(shard);
      await this.#begin(shard, last ? 'AFTER_SEQUENCE_NUMBER' : 'TRIM_HORIZON', last);
      return undefined;
    }
  }

  async #look(shard: string, iterator: string): Promise<StreamRecord[]> {
    const output = await this.#read(shard, iterator);
    if (!output) return [];
    const { Records = [], NextShardIterator } = output;
    const last = Records.at(-1)?.dynamodb?.SequenceNumber;
    if (last) this.#last.set(shard, last);
    if (NextShardIterator) this.#iterators.set(shard, NextShardIterator);
    else {
      this.#iterators.delete(shard);
      await this.search('TRIM_HORIZON');
    }
    return Records as StreamRecord[];
  }

  async look(): Promise<StreamRecord[]> {
    if (++this.#looks % SHARDS_EVERY === 0) await this.search('TRIM_HORIZON');
    const found: StreamRecord[] = [];
    for (const [shard, iterator] of [...this.#iterators]) found.push(...(await this.#look(shard, iterator)));
    return found;
  }

  destroy(): void {
    this.#client.destroy();
  }
}

/** What fails again and again is dropped. */
async function deliver({ name, work }: Followed, Records: StreamRecord[]): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++)
    try {
      return await work({ Records });
    } catch (error) {
      getLogger().error('stream worker failed', { stream: name, tries, error: describeError(error) });
    }
}

/** Calls the worker with what changes from now on. Returns what stops it. */
export async function followStream(
  endpoint: string,
  stream: string,
  followed: Followed,
): Promise<() => Promise<void>> {
  const { batch_size, window, filters } = followed.settings;
  const reader = new StreamReader(endpoint, stream);
  await reader.search('LATEST');
  let stopping = false;
  const wanted = async () => (await reader.look()).filter((record) => passes(record, filters)).map(asEvent);
  const run = async () => {
    while (!stopping) {
      const batch = await wanted();
      const end = Date.now() + window * 1_000;
      while (batch.length > 0 && batch.length < batch_size && Date.now() < end && !stopping) {
        await pause(POLL);
        batch.push(...(await wanted()));
      }
      for (let at = 0; at < batch.length; at += batch_size)
        await deliver(followed, batch.slice(at, at + batch_size));
      if (batch.length === 0) await pause(POLL);
    }
  };
  const running = (async () => {
    while (!stopping)
      await run().catch(async (error: unknown) => {
        if (stopping) return;
        getLogger().error('stream not read', { stream: followed.name, error: describeError(error) });
        await pause(1_000);
      });
  })();
  return async () => {
    stopping = true;
    await Promise.race([running, pause(1_500)]);
    reader.destroy();
  };
}
