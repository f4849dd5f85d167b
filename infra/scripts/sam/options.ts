import { resolve } from 'node:path';
import { Misuse, parseOptions } from '../../cli/options.ts';
import { refuseSwallowed } from '../../cli/swallowed.ts';
import { portOf } from '../../local/options.ts';

export const HELP = `Runs the functions of the API in Lambda's own containers, on the data of the running npm start.

  npm run sam -- [options] [-- <options of sam local start-api>]

  --port <n>       port of this API (default 3001)
  --data <folder>  the data folder of npm start (default .local)
  --help           this text

Needs Docker and the SAM CLI, and an npm start that containers reach: without Docker Desktop with --host, see below.
The functions use the database, the files and the queues of that npm start, and never AWS. Its workers do the
background work. Templates and variables are in the folder sam of the data folder.

  npm start -- --host 172.17.0.1     on Linux: the address of this machine in Docker's usual network
  npm run sam                        in a second terminal
`;

export interface SamOptions {
  port: string;
  data: string;
  /** For `sam local start-api`. */
  others: string[];
}

const definitions = {
  port: { type: 'string', default: '3001' },
  data: { type: 'string', default: '.local' },
  help: { type: 'boolean', default: false },
} as const;

/** Undefined when the help is wanted. Throws Misuse. */
export function readSamOptions(args: string[], env: NodeJS.ProcessEnv): SamOptions | undefined {
  const help = 'npm run sam -- --help';
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { values, positionals } = parseOptions(args.slice(0, end), definitions, { help, positionals: true });
  if (values.help) return undefined;
  refuseSwallowed('npm run sam --', definitions, positionals, env);
  if (positionals[0] !== undefined)
    throw new Misuse(`Unexpected "${positionals[0]}": npm run sam takes options only; ${help} shows them`);
  if (portOf('port', values.port) === 0) throw new Misuse('--port must be a number from 1 to 65535, not "0"');
  return { port: values.port, data: resolve(values.data), others: args.slice(end + 1) };
}
