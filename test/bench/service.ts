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
import { BulkTable } from './bulk-table.ts';

/** A service with a table of its own, for benches of large data: on the disk, as 100,000 records of all types take over 16 GB. */

export const MINUTE = 60_000;

export function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else process.stderr.write(`${text}\n`);
}

/** Tomorrow, in the middle of the morning. */
function tomorrow(): Date {
  const now = Date.now();
  return new Date(now - (now % (1_440 * MINUTE)) + (1_440 + 605) * MINUTE);
}

/** Milliseconds, in which the log grows by less than 300 MB. */
const LOG_PERIOD = 5_000;
const LOG_TRIES = 5;

/**
 * Ends by throwing only: what `signal` says, or why several transactions in a row failed; one may have waited too long for
 * readers.
 */
async function keepLogShort(table: BulkTable, signal: AbortSignal): Promise<never> {
  for (let failed = 0; ; ) {
    await pause(LOG_PERIOD, undefined, { signal });
    try {
      await table.endReader();
      failed = 0;
    } catch (error) {
      if (++failed === LOG_TRIES) throw error;
    }
  }
}

/** Where the work happens. */
export interface Place {
  url: string;
  /** The table for what is there before, with a client that is not measured: fast to fill. */
  filling: Table;
  /** To be called before something is measured. */
  filled(): Promise<void>;
}

export async function inService(
  name: string,
  work: (services: Services, place: Place) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-bench-'));
  const database = await startDynamoDb(folder);
  await createTable(database.endpoint, name, { expiring: false });
  const client = new DynamoDBClient(clientOptions(database.endpoint));
  const now = tomorrow();
  const config = readConfig({ TABLE_NAME: name, CURSOR_KEYS: 'bench', MAILBOX_KEYS: 'bench' });
  const services: Services = { config, table: new Table(name, client), clock: () => now };
  setServices(services);
  const gateway = await startGateway(operations, 0);
  const filler = new DynamoDBClient(clientOptions(database.endpoint));
  const bulk = process.env.DYNAMODB_ENDPOINT ? undefined : await BulkTable.open(name, filler, folder);
  const place: Place = {
    url: gateway.url,
    filling: bulk ?? new Table(name, filler),
    filled: async () => bulk?.settle(),
  };
  const ended = new AbortController();
  const log = bulk ? [keepLogShort(bulk, ended.signal)] : [];
  try {
    await Promise.race([work(services, place), ...log]);
  } finally {
    ended.abort();
    bulk?.close();
    await gateway.close();
    for (const each of [client, filler]) each.destroy();
    setServices(undefined);
    await database.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
