import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { namesOf } from '../aws/names.ts';
import { settingsOfStage } from '../aws/stage.ts';
import { Misuse, parseOptions } from '../cli/options.ts';
import { refuseSwallowed } from '../cli/swallowed.ts';
import { explain } from './admin/explain.ts';
import { allAccounts } from './all-accounts.ts';

/** What the commands have in common that recount and repair counters. */

export interface Repair {
  /** `repair:tags`. */
  command: string;
  /** What it does, and when it skips a counter. */
  does: string;
  skips: string;
  /** Returns the number of counters that still differ. */
  repairAccount(table: Table, account_id: string, write: boolean): Promise<number>;
}

const helpOf = ({ command, does, skips }: Repair) => `${does}

  npm run ${command} -- (--stage <stage> | --table <name>) (--account <id> ... | --all) [--write]

  --stage     for example prod
  --table     the table itself, for example workspace, which npm start creates
  --account   one account; can be given several times
  --all       every account; reads the whole table to find them, which costs accordingly
  --dry-run   only shows what differs: the default
  --write     corrects the counters
  --help      this text

Exits with status 1 while a counter differs. ${skips} Region and credentials come from the usual AWS variables; DYNAMODB_ENDPOINT names a local
server.`;

const definitions = {
  stage: { type: 'string' },
  table: { type: 'string' },
  account: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  write: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

interface Options {
  table_name: string;
  /** What the command names, in errors. */
  where: string;
  accounts: string[];
  all: boolean;
  write: boolean;
}

/** Undefined when the help is wanted. Throws Misuse. */
function readOptions({ command }: Repair, args: string[]): Options | undefined {
  const run = `npm run ${command} --`;
  const { values, positionals } = parseOptions(args, definitions, {
    help: `${run} --help`,
    positionals: true,
  });
  if (values.help) return undefined;
  refuseSwallowed(run, definitions, positionals, process.env);
  const { stage, table, account: accounts = [], all = false, write = false } = values;
  const example = `For example: ${run} --stage prod --all`;
  if (positionals.length > 0)
    throw new Misuse(`Unexpected "${positionals[0]}": ${run} --help shows the options`);
  if (Boolean(stage) === Boolean(table)) throw new Misuse(`Give either --stage or --table. ${example}`);
  if (all === accounts.length > 0) throw new Misuse(`Give either --account or --all. ${example}`);
  if (write && values['dry-run']) throw new Misuse('Give either --dry-run or --write.');
  if (stage) settingsOfStage(stage);
  const where = stage ? `stage ${stage}` : `--table ${table}`;
  return { table_name: table ?? namesOf(stage as string).table, where, accounts, all, write };
}

/** The number of counters that still differ. */
async function repairAll(repair: Repair, options: Options): Promise<number> {
  const client = new DynamoDBClient(clientOptions(process.env.DYNAMODB_ENDPOINT));
  const table = new Table(options.table_name, client);
  let left = 0;
  for (const account of options.all ? (await allAccounts(table)).map(({ id }) => id) : options.accounts) {
    if (!(await table.get(keys.account(account)))) throw new Error(`There is no account ${account}.`);
    console.log(`account ${account}`);
    left += await repair.repairAccount(table, account, options.write);
  }
  client.destroy();
  return left;
}

/** The status of the process. */
export async function runRepair(repair: Repair): Promise<number> {
  let where = 'this stage';
  try {
    const options = readOptions(repair, process.argv.slice(2));
    if (!options) {
      console.log(helpOf(repair));
      return 0;
    }
    ({ where } = options);
    const left = await repairAll(repair, options);
    console.log(left === 0 ? 'Every counter is right.' : `${left} counters differ.`);
    return left === 0 ? 0 : 1;
  } catch (error) {
    console.error(explain(error, where));
    return 1;
  }
}

/** What became of a counter, in words. */
export function outcomeOf(write: boolean, repaired: boolean): string {
  if (repaired) return 'repaired';
  return write ? 'keeps changing, left alone' : 'differs';
}
