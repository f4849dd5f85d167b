import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { Misuse } from '../../cli/options.ts';
import { findRun } from '../../local/run-file.ts';
import type { Target } from './command.ts';

export interface Connection {
  table: Table;
  /** What it is, in words. */
  where: string;
  close(): void;
}

function connection(name: string, endpoint: string | undefined, where: string): Connection {
  const client = new DynamoDBClient(clientOptions(endpoint));
  return { table: new Table(name, client), where, close: () => client.destroy() };
}

const WAYS_OUT = 'start it first, name its folder with --data, or a deployed stage with --stage';

/** The table of the running npm start, or of a stage. */
export async function connect({ stage, data }: Target): Promise<Connection> {
  if (stage === undefined) {
    const folder = resolve(data ?? '.local');
    const { TABLE_NAME = '', DYNAMODB_ENDPOINT } = findRun(folder, WAYS_OUT).variables;
    return connection(TABLE_NAME, DYNAMODB_ENDPOINT, `npm start with the data in ${folder}`);
  }
  if (data !== undefined) throw new Misuse('Give either --stage or --data');
  // Imported late: the names come with the CDK library, which takes a second.
  const { namesOf } = await import('../../aws/names.ts');
  return connection(namesOf(stage).table, undefined, `stage ${stage}`);
}
