import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { namesOf } from '../aws/names.ts';
import { settingsOfStage } from '../aws/stage.ts';
import { Misuse, parseOptions } from '../cli/options.ts';
import { refuseSwallowed } from '../cli/swallowed.ts';
import { DATA_VERSION, migrations } from '../migrations/all.ts';
import { migrate } from '../migrations/migrate.ts';
import { misfit } from '../migrations/version.ts';
import { explain } from './admin/explain.ts';

/** `npm run migrate`: brings the data of a stage to the version of this code. */

const HELP = `Brings the data of a stage to the version of this code.

  npm run migrate -- --stage <stage>

  --stage     for example prod
  --help      this text

Run it before the deployment: the deployed functions keep running. When it is stopped anywhere, run it again: it
continues where it was. Region and credentials come from the usual AWS variables; DYNAMODB_ENDPOINT names a local server.
npm start migrates its own data.`;

const options = { stage: { type: 'string' }, help: { type: 'boolean' } } as const;

async function main(args: string[]): Promise<void> {
  const help = 'npm run migrate -- --help';
  const { values, positionals } = parseOptions(args, options, { help, positionals: true });
  if (values.help) return console.log(HELP);
  refuseSwallowed('npm run migrate --', options, positionals, process.env);
  if (!values.stage || positionals.length > 0)
    throw new Misuse('Name the stage: npm run migrate -- --stage prod, for example.');
  settingsOfStage(values.stage);
  const client = new DynamoDBClient(clientOptions(process.env.DYNAMODB_ENDPOINT));
  const table = new Table(namesOf(values.stage).table, client);
  const data = await migrate(table, migrations, console.log).finally(() => client.destroy());
  const problem = misfit(data, DATA_VERSION);
  if (problem) throw new Misuse(problem);
  console.log(`The data has version ${data.version}.`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(explain(error, 'this stage'));
  process.exitCode = 1;
}
