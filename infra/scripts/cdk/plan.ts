import { refuseUnknown, settingsOf } from '../../aws/context.ts';
import { readStage, type Stage } from '../../aws/stage.ts';
import { Misuse, parseOptions } from '../../cli/options.ts';
import { refuseSwallowed } from '../../cli/swallowed.ts';

/** What a command line means for the CDK CLI, which itself takes unknown options and settings without a word. */

interface CdkCommand {
  about: string;
  /** Its arguments for the CDK CLI. */
  cdk: readonly string[];
  /** Added when no stack is named. */
  all: readonly string[];
  /** Without a stage it works on dev. */
  harmless?: boolean;
}

export const commands = {
  synth: { about: 'writes the templates to cdk.out', cdk: ['synth', '--quiet'], all: [], harmless: true },
  diff: { about: 'shows what a deployment would change', cdk: ['diff'], all: [] },
  deploy: { about: 'deploys the four stacks', cdk: ['deploy'], all: ['--all'] },
  destroy: { about: 'deletes the four stacks', cdk: ['destroy'], all: ['--all'] },
} satisfies Record<string, CdkCommand>;

export type CommandName = keyof typeof commands;

const options = {
  stage: { type: 'string' },
  context: { type: 'string', short: 'c', multiple: true },
  'empty-buckets': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export function helpOf(name: CommandName): string {
  const command: CdkCommand = commands[name];
  const usual = command.harmless ? ' (default dev)' : '';
  const lines = Object.entries(settingsOf())
    .filter(([setting]) => setting !== 'stage')
    .map(([setting, about]) => `      ${setting}: ${about}`);
  return `npm run ${name}: ${command.about}

  npm run ${name} -- --stage <stage> [-c <setting>=<value> ...] [<stack> ...] [-- <options of cdk ${name}>]

  --stage     ${settingsOf().stage}${usual}
  -c          a setting of the deployment; not stored, so give it each time or write it into cdk.json:
${lines.join('\n')}
${name === 'destroy' ? '  --empty-buckets   deletes all files of the stage first: a bucket that is not empty cannot be deleted\n' : ''}  --help      this text`;
}

function settingsIn(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
      if (!name || !value) throw new Misuse(`-c takes <setting>=<value>, not "${pair}".`);
      return [name, value];
    }),
  );
}

export interface Plan {
  stage: Stage;
  /** Delete all files of the stage first. */
  empty_buckets: boolean;
  /** The arguments for the CDK CLI. */
  args: string[];
}

function stageOf(given: string | undefined, context: Record<string, unknown>, name: CommandName): string {
  if (given === '') throw new Misuse('--stage needs a name.');
  if (given && context.stage && given !== context.stage)
    throw new Misuse(`--stage ${given} contradicts stage=${context.stage}.`);
  const stage = given ?? context.stage;
  const { harmless }: CdkCommand = commands[name];
  if (typeof stage === 'string') return stage;
  if (harmless) return 'dev';
  throw new Misuse(`Name the stage: npm run ${name} -- --stage dev, for example.`);
}

/** Undefined when the help is wanted. `file` is the context in `cdk.json`. Throws Misuse. */
export function planOf(
  name: CommandName,
  args: string[],
  file: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): Plan | undefined {
  const { cdk, all }: CdkCommand = commands[name];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const [own, others] = [args.slice(0, end), args.slice(end + 1)];
  const help = `npm run ${name} -- --help`;
  const { values, positionals: stacks } = parseOptions(own, options, { help, positionals: true });
  if (values.help) return undefined;
  refuseSwallowed(`npm run ${name} --`, options, stacks, env);
  const given = settingsIn(values.context ?? []);
  const context: Record<string, unknown> = { ...file, ...given };
  refuseUnknown(Object.keys(context));
  given.stage = context.stage = stageOf(values.stage, context, name);
  const stage = readStage((setting) => context[setting]);
  if (stage.local_endpoints && name === 'deploy')
    throw new Misuse('-c localEndpoints=true is for sam local: deployed functions would never reach AWS.');
  const empty_buckets = values['empty-buckets'] ?? false;
  if (empty_buckets && name !== 'destroy') throw new Misuse('--empty-buckets is for npm run destroy.');
  if (name === 'destroy' && stage.keep_data)
    throw new Misuse(
      `${stage.name} keeps its data and its stacks: docs/operations.md, "Destroy", has the steps.`,
    );
  const settings = Object.entries(given).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
  return {
    stage,
    empty_buckets,
    args: [...cdk, ...(stacks.length > 0 ? stacks : all), ...settings, ...others],
  };
}
