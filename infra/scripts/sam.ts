import { Misuse } from '../cli/options.ts';
import { findRun } from '../local/run-file.ts';
import { findDocker, requireSam } from './sam/docker.ts';
import { HELP, readSamOptions } from './sam/options.ts';

/** `npm run sam`: the API in Lambda's own containers, on the data of the running `npm start`. */

async function main(args: string[]): Promise<number> {
  const options = readSamOptions(args, process.env);
  if (!options) {
    console.log(HELP);
    return 0;
  }
  const run = findRun(options.data);
  requireSam();
  const docker = await findDocker();
  // Imported late: what comes before needs no CDK library, which takes a second.
  const { startSam } = await import('./sam/start.ts');
  return startSam(options, run, docker);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Misuse)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
