import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../aws/bundle.ts';
import { Misuse, suggestion } from '../cli/options.ts';
import { explain } from './admin/explain.ts';
import { runCdk } from './cdk/cli.ts';
import { emptyBuckets, requireFit, writeVersion } from './cdk/data.ts';
import { type CommandName, commands, helpOf, type Plan, planOf } from './cdk/plan.ts';

/** `npm run synth`, `diff`, `deploy` and `destroy`: checks the stage and the settings, then runs the CDK CLI. */

async function perform(name: CommandName, { stage, empty_buckets, args }: Plan): Promise<number> {
  if (name === 'deploy') await requireFit(stage);
  if (empty_buckets) await emptyBuckets(stage, console.log);
  const status = runCdk(args);
  if (name === 'deploy' && status === 0) await writeVersion(stage);
  return status;
}

async function main([name = '', ...args]: string[]): Promise<number> {
  if (!Object.hasOwn(commands, name))
    throw new Misuse(
      `There is no command "${name}": ${suggestion(name, Object.keys(commands), 'package.json')}`,
    );
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));
  const plan = planOf(name as CommandName, args, context, process.env);
  if (plan) return perform(name as CommandName, plan);
  console.log(helpOf(name as CommandName));
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // What was typed cannot be done, or AWS refuses it: the line says why, and a stack would say nothing more.
  console.error(explain(error, 'this stage'));
  process.exitCode = 1;
}
