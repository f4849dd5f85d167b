import { Misuse } from '../../cli/options.ts';
import { addMailbox } from './add-mailbox.ts';
import { addUser } from './add-user.ts';
import { billAccounts } from './bill-accounts.ts';
import { type Command, commandOf, namingTarget, readGiven } from './command.ts';
import { connect } from './connect.ts';
import { createAccount } from './create-account.ts';
import { explain } from './explain.ts';
import { helpOf, overview } from './help.ts';
import { invite } from './invite.ts';
import { issueKey } from './issue-key.ts';
import { list } from './list.ts';
import { listClosedAccounts } from './list-closed.ts';
import { listWaitlist } from './list-waitlist.ts';
import { reopenAccount } from './reopen-account.ts';
import { retryJobs } from './retry-jobs.ts';
import { revoke } from './revoke.ts';

const commands: Record<string, Command> = {
  'create-account': createAccount,
  'add-user': addUser,
  'add-mailbox': addMailbox,
  'issue-key': issueKey,
  list,
  'list-closed': listClosedAccounts,
  'reopen-account': reopenAccount,
  'list-waitlist': listWaitlist,
  invite,
  'bill-accounts': billAccounts,
  'retry-jobs': retryJobs,
  revoke,
};

/** Where the answer goes: `out` for what a script takes, `err` for people. */
export interface Lines {
  out(line: string): void;
  err(line: string): void;
}

async function perform(name: string, args: string[], { out, err }: Lines): Promise<void> {
  const command = commandOf(commands, name);
  const given = readGiven(name, command, args);
  if (!given) return out(helpOf(name, command));
  const connection = await connect(given.target);
  try {
    const { json, result, told } = await command.run(given.values, connection.table, new Date());
    if (given.json) return out(JSON.stringify(json));
    for (const line of told) err(namingTarget(line, given.target));
    if (result !== undefined) out(result);
  } catch (error) {
    throw new Misuse(namingTarget(explain(error, connection.where), given.target));
  } finally {
    connection.close();
  }
}

/** Returns the exit code. */
export async function admin([name, ...args]: string[], lines: Lines): Promise<number> {
  if (name === undefined || name === '--help') {
    lines[name ? 'out' : 'err'](overview(commands));
    return name ? 0 : 1;
  }
  try {
    await perform(name, args, lines);
    return 0;
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    lines.err(error.message);
    return 1;
  }
}
