import { addMailbox } from './admin/add-mailbox.ts';
import { addUser } from './admin/add-user.ts';
import { type Command, commandOf, readGiven } from './admin/command.ts';
import { type Connection, connect } from './admin/connect.ts';
import { createAccount } from './admin/create-account.ts';
import { explain } from './admin/explain.ts';
import { helpOf, overview } from './admin/help.ts';
import { issueKey } from './admin/issue-key.ts';
import { list } from './admin/list.ts';
import { revoke } from './admin/revoke.ts';

/** `npm run admin`: accounts, users, mailboxes and keys, locally and in a stage. */

const commands: Record<string, Command> = {
  'create-account': createAccount,
  'add-user': addUser,
  'add-mailbox': addMailbox,
  'issue-key': issueKey,
  list,
  revoke,
};

let connection: Connection | undefined;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help') {
    (name ? console.log : console.error)(overview(commands));
    return name ? 0 : 1;
  }
  const command = commandOf(commands, name);
  const given = readGiven(name, command, args);
  if (!given) {
    console.log(helpOf(name, command));
    return 0;
  }
  connection = await connect(given.target);
  const { json, result, told } = await command.run(given.values, connection.table, new Date());
  if (given.json) console.log(JSON.stringify(json));
  else {
    for (const line of told) console.error(line);
    if (result !== undefined) console.log(result);
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explain(error, connection?.where ?? 'the table'));
  return 1;
});
connection?.close();
