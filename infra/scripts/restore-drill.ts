import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { clientOptions } from '#shared/services.ts';
import type { Key } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { namesOf } from '../aws/names.ts';
import { settingsOfStage } from '../aws/stage.ts';
import { Misuse, parseOptions } from '../cli/options.ts';
import { refuseSwallowed } from '../cli/swallowed.ts';
import { explain } from './admin/explain.ts';

/** `npm run restore-drill`: shows that a stage's table can be restored, without touching it. */

const HELP = `Restores the table of a stage into a new one, compares samples of both, and deletes the new one.

  npm run restore-drill -- --stage <stage> [--at <time>] [--keep]

  --stage     for example prod
  --at        the moment to restore, such as 2026-11-20T09:30:00Z; default: the last that can be
  --keep      leaves the restored table, to copy items from it
  --help      this text

The table of the stage is only read. A restore takes from minutes to hours and is paid by the GB. Region and credentials
come from the usual AWS variables.`;

const options = {
  stage: { type: 'string' },
  at: { type: 'string' },
  keep: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Milliseconds between two looks at a table. */
const LOOK = 10_000;
/** Items of each of the segments that a scan is divided into, so that samples come from all over the table. */
const [SEGMENTS, PER_SEGMENT] = [20, 10];

interface Drill {
  source: string;
  at: Date | undefined;
  keep: boolean;
}

async function statusOf(client: DynamoDBClient, TableName: string): Promise<string | undefined> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return Table?.TableStatus;
}

async function restore(client: DynamoDBClient, { source, at }: Drill, target: string): Promise<void> {
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: source,
      TargetTableName: target,
      ...(at ? { RestoreDateTime: at } : { UseLatestRestorableTime: true }),
    }),
  );
  while ((await statusOf(client, target)) !== 'ACTIVE') await pause(LOOK);
}

async function sample(table: Table): Promise<Key[]> {
  const pages = await Promise.all(
    Array.from({ length: SEGMENTS }, (_, Segment) =>
      table.client.send(
        new ScanCommand({
          TableName: table.name,
          Segment,
          TotalSegments: SEGMENTS,
          Limit: PER_SEGMENT,
          ProjectionExpression: 'PK, SK',
        }),
      ),
    ),
  );
  return pages.flatMap(({ Items = [] }) => Items as unknown as Key[]);
}

/** How many samples of one table the other has. Writes since the restored moment account for a few. */
async function shared(from: Table, to: Table): Promise<{ samples: number; found: number }> {
  const samples = await sample(from);
  const found = await to.getMany(samples);
  return { samples: samples.length, found: found.length };
}

/** Half of the samples at least: fewer cannot be explained by writes since. */
const ENOUGH = 0.5;

/** Returns whether the restored table has what the stage's table has. */
export async function drill(
  client: DynamoDBClient,
  given: Drill,
  told: (line: string) => void,
): Promise<boolean> {
  const target = `${given.source}-drill-${Date.now()}`;
  const started = Date.now();
  told(`Restoring ${given.source} of ${given.at?.toISOString() ?? 'the last moment'} into ${target} ...`);
  try {
    await restore(client, given, target);
    told(`restored in ${Math.round((Date.now() - started) / 60_000)} minutes`);
    const [source, restored] = [new Table(given.source, client), new Table(target, client)];
    const ahead = await shared(source, restored);
    const back = await shared(restored, source);
    told(`${ahead.found} of ${ahead.samples} samples of the table are in the restored one`);
    told(`${back.found} of ${back.samples} samples of the restored table are in the table`);
    return ahead.found >= ENOUGH * ahead.samples && back.found >= ENOUGH * back.samples;
  } finally {
    if (given.keep) told(`${target} is kept: delete it later.`);
    else await discard(client, target, told);
  }
}

async function discard(client: DynamoDBClient, target: string, told: (line: string) => void): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName: target }));
    told(`${target} is deleted`);
  } catch (error) {
    // A restore that was refused made none.
    if (error instanceof ResourceNotFoundException) return;
    // Named, so that nobody pays for a forgotten table.
    told(`${target} could not be deleted: ${(error as Error).name}`);
  }
}

function momentOf(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(at.getTime()))
    throw new Misuse(`--at is a time with its zone, such as 2026-11-20T09:30:00Z, not "${text}".`);
  return at;
}

async function main(args: string[]): Promise<number> {
  const help = 'npm run restore-drill -- --help';
  const { values, positionals } = parseOptions(args, options, { help, positionals: true });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  refuseSwallowed('npm run restore-drill --', options, positionals, process.env);
  if (!values.stage || positionals.length > 0)
    throw new Misuse('Name the stage: npm run restore-drill -- --stage prod, for example.');
  settingsOfStage(values.stage);
  const at = values.at === undefined ? undefined : momentOf(values.at);
  const client = new DynamoDBClient(clientOptions(process.env.DYNAMODB_ENDPOINT));
  const given = { source: namesOf(values.stage).table, at, keep: values.keep ?? false };
  const good = await drill(client, given, console.log).finally(() => client.destroy());
  console.log(
    good ? 'The restored table is good.' : 'The restored table lacks items: look at it with --keep.',
  );
  return good ? 0 : 1;
}

if (import.meta.main)
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(explain(error, 'this stage'));
    process.exitCode = 1;
  }
