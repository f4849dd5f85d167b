import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { namesOf } from '../aws/names.ts';
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

interface Options {
  table_name: string;
  /** What the command names, in errors. */
  where: string;
  accounts: string[];
  all: boolean;
  write: boolean;
}

function readOptions(): Options | 'help' | string {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      table: { type: 'string' },
      account: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { stage, table, account: accounts, all, write } = values;
  if (Boolean(stage) === Boolean(table)) return 'Give either --stage or --table.';
  if (all === accounts.length > 0) return 'Give either --account or --all.';
  if (write && values['dry-run']) return 'Give either --dry-run or --write.';
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
  const help = helpOf(repair);
  let where = 'this stage';
  try {
    const options = readOptions();
    if (typeof options === 'string') {
      if (options === 'help') console.log(help);
      else console.error(`${options}\n\n${help}`);
      return options === 'help' ? 0 : 1;
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
