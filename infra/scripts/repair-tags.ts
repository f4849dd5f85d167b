import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Difference, differences, repairCount } from '#shared/domain/collaboration/tags/repair.ts';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { namesOf } from '../aws/names.ts';
import { allAccounts } from './all-accounts.ts';

/** `npm run repair:tags`: compares the number of records with each tag with its counters. */

const HELP = `Counts the records of each tag, and shows the counters that differ.

  npm run repair:tags -- (--stage <stage> | --table <name>) (--account <id> ... | --all) [--write]

  --stage     for example prod
  --table     the table itself, for example workspace, which npm start creates
  --account   one account; can be given several times
  --all       every account; reads the whole table to find them, which costs accordingly
  --dry-run   only shows what differs: the default
  --write     corrects the counters
  --help      this text

Exits with status 1 while a counter differs. A counter that changes meanwhile is skipped: run it again when the tag is
applied and removed less. Region and credentials come from the usual AWS variables; DYNAMODB_ENDPOINT names a local
server.`;

/** The outcome for a difference, in words; undefined when it stays. */
async function outcomeOf(table: Table, difference: Difference, write: boolean): Promise<string | undefined> {
  if (!write || !difference.settled) return undefined;
  return (await repairCount(table, difference)) ? 'repaired' : undefined;
}

/** Returns the number of counters that still differ. */
async function repairAccount(table: Table, account_id: string, write: boolean): Promise<number> {
  let left = 0;
  for await (const difference of differences(table, account_id)) {
    const { tag, name, stored, found } = difference;
    const outcome = await outcomeOf(table, difference, write);
    if (!outcome) left++;
    const state = tag.deleted_at ? 'deleted tag' : 'tag';
    const kept = write ? 'keeps changing, left alone' : 'differs';
    console.log(`  ${state} ${tag.id}: ${name} is ${stored}, found ${found}: ${outcome ?? kept}`);
  }
  return left;
}

interface Options {
  table_name: string;
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
  return { table_name: table ?? namesOf(stage as string).table, accounts, all, write };
}

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') {
    if (options === 'help') console.log(HELP);
    else console.error(`${options}\n\n${HELP}`);
    return options === 'help' ? 0 : 1;
  }
  const client = new DynamoDBClient(clientOptions(process.env.DYNAMODB_ENDPOINT));
  const table = new Table(options.table_name, client);
  let left = 0;
  for (const account of options.all ? (await allAccounts(table)).map(({ id }) => id) : options.accounts) {
    if (!(await table.get(keys.account(account)))) throw new Error(`There is no account ${account}.`);
    console.log(`account ${account}`);
    left += await repairAccount(table, account, options.write);
  }
  console.log(left === 0 ? 'Every counter is right.' : `${left} counters differ.`);
  client.destroy();
  return left === 0 ? 0 : 1;
}

/** The name of an AWS error tells more than its message. */
function explain(error: unknown): number {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
  return 1;
}

process.exitCode = await main().catch(explain);
