import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APP } from '../../aws/names.ts';
import type { ReadyRun } from '../../local/run-file.ts';
import { runCdk } from '../cdk/cli.ts';
import type { Docker } from './docker.ts';
import { environmentOf, variablesInContainers } from './environment.ts';
import type { SamOptions } from './options.ts';
import { readWatchLimit, watchHint } from './watches.ts';

/** Templates and variables for `sam local`, and its start. */

const REGION = 'us-east-1';
/** Of the names in the template, in which nothing is deployed. */
const STAGE = 'dev';

/** Settings with which the functions answer as those of `npm start` do. */
export function synthArguments(folder: string, { architecture }: Docker): string[] {
  const settings = { stage: STAGE, localEndpoints: 'true', architecture, corsOrigins: '*' };
  const context = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['synth', '--quiet', '--output', folder, ...context];
}

/** The folder has the key that signs cursors: only the user may read it. */
function prepare({ data }: SamOptions, variables: Record<string, string>, docker: Docker) {
  const folder = join(data, 'sam');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const templates = join(folder, 'cdk.out');
  if (runCdk(synthArguments(templates, docker)) !== 0) return undefined;
  const template = join(templates, `${APP}-${STAGE}-Api.template.json`);
  const functions = environmentOf(JSON.parse(readFileSync(template, 'utf8')), variables);
  const environment = join(folder, 'env.json');
  rmSync(environment, { force: true });
  writeFileSync(environment, JSON.stringify(functions, undefined, 2), { mode: 0o600 });
  const hint = watchHint(Object.keys(functions).length, readWatchLimit());
  if (hint) console.warn(hint);
  return { template, environment };
}

/**
 * A container of a function starts with its first request and stays: EAGER would start one for each function at once,
 * which needs some ten GB.
 */
export function samArguments(
  files: { template: string; environment: string },
  options: SamOptions,
): string[] {
  return [
    ...['local', 'start-api', '--template', files.template, '--env-vars', files.environment],
    ...['--port', options.port, '--region', REGION, '--warm-containers', 'LAZY', ...options.others],
  ];
}

/** SAM passes its own credentials on to the functions, whatever the file of variables says: these open nothing. */
export function samVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('AWS_'));
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  return { ...Object.fromEntries(others), ...credentials, AWS_REGION: REGION, AWS_DEFAULT_REGION: REGION };
}

/** Resolves with the exit code when SAM has ended. Throws Misuse. */
export async function startSam(options: SamOptions, run: ReadyRun, docker: Docker): Promise<number> {
  // Before the synthesis, which takes a while.
  const variables = variablesInContainers(run, docker);
  const files = prepare(options, variables, docker);
  if (!files) return 1;
  const sam = spawn('sam', samArguments(files, options), {
    stdio: 'inherit',
    env: samVariables(process.env),
  });
  // SAM removes its containers before it ends. Ctrl-C reaches it as well, other signals only this process.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => sam.kill('SIGTERM'));
  const [code] = await once(sam, 'close');
  return code ?? 1;
}
