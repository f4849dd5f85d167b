import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readConfig } from '#shared/config.ts';
import { clientOptions, type Services, setServices } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { operations } from '../../functions/catalogue.ts';
import { createTable, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { startGateway } from '../../infra/local/gateway.ts';

/** A service with a table of its own, for benches of large data: on the disk, as 100,000 records of all types take over 16 GB. */

export const MINUTE = 60_000;

export function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else process.stderr.write(`${text}\n`);
}

/** Tomorrow, in the middle of the morning: items with a time to live are not deleted during the run. */
function tomorrow(): Date {
  const now = Date.now();
  return new Date(now - (now % (1_440 * MINUTE)) + (1_440 + 605) * MINUTE);
}

/** Milliseconds, in which the log grows by less than 300 MB. */
const LOG_PERIOD = 5_000;

/**
 * While DynamoDB Local writes batches alone, it keeps a reader of SQLite's log open, and the log never begins anew: 200 GB
 * for 100,000 threads. Each transaction closes it (https://www.sqlite.org/wal.html). The client is not the measured one.
 * Ends by throwing only: what `signal` says, or why a transaction failed.
 */
async function keepLogShort(endpoint: string, name: string, signal: AbortSignal): Promise<never> {
  const client = new DynamoDBClient(clientOptions(endpoint));
  const table = new Table(name, client);
  try {
    for (;;) {
      await pause(LOG_PERIOD, undefined, { signal });
      await table.transact([{ put: { PK: 'LOG', SK: 'LOG' } }]);
    }
  } finally {
    client.destroy();
  }
}

export async function inService(
  name: string,
  work: (services: Services, url: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-bench-'));
  const database = await startDynamoDb(folder);
  await createTable(database.endpoint, name);
  const client = new DynamoDBClient(clientOptions(database.endpoint));
  const now = tomorrow();
  const config = readConfig({ TABLE_NAME: name, CURSOR_KEYS: 'bench', MAILBOX_KEYS: 'bench' });
  const services: Services = { config, table: new Table(name, client), clock: () => now };
  setServices(services);
  const gateway = await startGateway(operations, 0);
  const ended = new AbortController();
  try {
    await Promise.race([work(services, gateway.url), keepLogShort(database.endpoint, name, ended.signal)]);
  } finally {
    ended.abort();
    await gateway.close();
    client.destroy();
    setServices(undefined);
    await database.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
