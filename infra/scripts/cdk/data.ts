import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectsCommand,
  ListBucketsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { namesOf } from '../../aws/names.ts';
import type { Stage } from '../../aws/stage.ts';
import { Misuse } from '../../cli/options.ts';
import { DATA_VERSION } from '../../migrations/all.ts';
import { ensureVersion, FIRST_VERSION, misfit, readVersion } from '../../migrations/version.ts';

/** What the CDK CLI does not know about the data of a stage. */

/** Calls with the stage's table; undefined when there is none. */
async function withTable<Result>(
  { name }: Pick<Stage, 'name'>,
  call: (table: Table) => Promise<Result>,
): Promise<Result | undefined> {
  const client = new DynamoDBClient(clientOptions(process.env.DYNAMODB_ENDPOINT));
  try {
    return await call(new Table(namesOf(name).table, client));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** Refuses to deploy functions that do not fit the data. Before the first deployment there is none. */
export async function requireFit(stage: Pick<Stage, 'name'>, code = DATA_VERSION): Promise<void> {
  const found = await withTable(stage, async (table) => (await readVersion(table)) ?? FIRST_VERSION);
  const problem = found && misfit(found, code);
  if (problem)
    throw new Misuse(`${problem} docs/operations.md, "Migrations": npm run migrate -- --stage ${stage.name}`);
}

export async function writeVersion(stage: Pick<Stage, 'name'>, code = DATA_VERSION): Promise<void> {
  await withTable(stage, (table) => ensureVersion(table, code));
}

/** The buckets of a stage in the client's region: `workspace-api-dev-111122223333-eu-west-1`, and that of its log. */
async function bucketsOf(client: S3Client, stage: string): Promise<string[]> {
  const Prefix = `workspace-api-${stage}-`;
  const { Buckets = [] } = await client.send(
    new ListBucketsCommand({ Prefix, BucketRegion: await client.config.region() }),
  );
  const names = Buckets.flatMap(({ Name }) => Name ?? []);
  return names.filter((name) => /^\d{12}-[a-z0-9-]+$/.test(name.slice(Prefix.length)));
}

/** Deletes every version of every object: CloudFormation deletes no bucket with objects in it. */
async function emptyBucket(client: S3Client, Bucket: string): Promise<number> {
  let deleted = 0;
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    page = await client.send(
      new ListObjectVersionsCommand({
        Bucket,
        KeyMarker: page?.NextKeyMarker,
        VersionIdMarker: page?.NextVersionIdMarker,
      }),
    );
    const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    const Objects = found.map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) continue;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors[0]) throw new Error(`${Bucket}: ${Errors[0].Key}: ${Errors[0].Message}`);
    deleted += Objects.length;
  } while (page.IsTruncated);
  return deleted;
}

export async function emptyBuckets(
  { name }: Pick<Stage, 'name'>,
  told: (line: string) => void,
): Promise<void> {
  const client = new S3Client({});
  try {
    for (const bucket of await bucketsOf(client, name))
      told(`${bucket}: ${await emptyBucket(client, bucket)} objects and versions deleted`);
  } finally {
    client.destroy();
  }
}
