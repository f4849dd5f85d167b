import * as z from 'zod';
import type { Table } from '#shared/table/table.ts';
import { Misuse, type OptionDefinitions, parseOptions, suggestion } from '../../cli/options.ts';
import { refuseSwallowed } from '../../cli/swallowed.ts';

/** What the commands of `npm run admin` have in common: their options are declared once, for checks and for help. */

export interface Option<Schema extends z.ZodType = z.ZodType> {
  /** Shown in the help; without it the option is a flag. */
  placeholder?: string;
  about: string;
  /** One that accepts undefined makes the option optional. */
  schema: Schema;
}

export type OptionTable = Record<string, Option>;
type ValuesOf<Options extends OptionTable> = { [Name in keyof Options]: z.output<Options[Name]['schema']> };

interface Outcome {
  /** For `--json`. */
  json: object;
  /** What a script takes, alone on its line: a secret, or the id of what was made. */
  result?: string;
  /** For people. */
  told: string[];
}

export interface Command {
  summary: string;
  options: OptionTable;
  run(values: Record<string, unknown>, table: Table, now: Date): Promise<Outcome>;
}

/** Declares a command with the types of its options. */
export function command<const Options extends OptionTable>(declared: {
  summary: string;
  options: Options;
  run(values: ValuesOf<Options>, table: Table, now: Date): Promise<Outcome>;
}): Command {
  return declared as unknown as Command;
}

/** Options of every command. */
export const common = {
  stage: {
    placeholder: '<name>',
    about: 'a deployed stage, for example prod; without it, the npm start of this machine',
    schema: z.string().optional(),
  },
  data: {
    placeholder: '<folder>',
    about: 'the data folder of that npm start (default .local)',
    schema: z.string().optional(),
  },
  json: {
    about: 'prints one JSON object on stdout, secrets included',
    schema: z.boolean().default(false),
  },
  help: { about: 'this text', schema: z.boolean().default(false) },
} satisfies OptionTable;

export type Target = Pick<ValuesOf<typeof common>, 'stage' | 'data'>;

export const RUN = 'npm run admin -- ';

/** A command that a line names, with its account. */
const NAMED = new RegExp(`${RUN}[\\w-]+(?: --account \\S+)?`, 'g');

/** The line, whose commands are to be run where this one was. */
export function namingTarget(line: string, { stage, data }: Target): string {
  const options = stage ? ` --stage ${stage}` : data ? ` --data ${JSON.stringify(data)}` : '';
  return line.replace(NAMED, (command) => `${command}${options}`);
}

export interface Given {
  values: Record<string, unknown>;
  target: Target;
  json: boolean;
}

/** One line for what is missing, or else for the first value that does not fit. */
function problemOf(issues: z.core.$ZodIssue[], given: Record<string, unknown>, help: string): string {
  const missing = issues.filter(({ path }) => given[String(path[0])] === undefined);
  if (missing.length > 0)
    return `Missing ${missing.map(({ path }) => `--${String(path[0])}`).join(' and ')}: ${help} shows what is needed`;
  const [{ path, message }] = issues as [z.core.$ZodIssue];
  return `--${String(path[0])} ${message}, not "${given[String(path[0])]}"`;
}

function definitionsOf(options: OptionTable): OptionDefinitions {
  const type = ({ placeholder }: Option) => (placeholder ? ('string' as const) : ('boolean' as const));
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { type: type(option) }]));
}

/** The options of a command; undefined when its help is wanted. Throws Misuse. */
export function readGiven(name: string, { options }: Command, args: string[]): Given | undefined {
  const all: OptionTable = { ...options, ...common };
  const definitions = definitionsOf(all);
  const help = `${RUN}${name} --help`;
  const { values, positionals } = parseOptions(args, definitions, { help, positionals: true });
  if (values.help) return undefined;
  const shape = Object.fromEntries(Object.entries(all).map(([each, { schema }]) => [each, schema]));
  const parsed = z.object(shape).safeParse(values);
  const [unexpected] = positionals;
  if (!parsed.success || unexpected !== undefined)
    refuseSwallowed(`${RUN}${name}`, definitions, positionals, process.env);
  if (unexpected !== undefined)
    throw new Misuse(`Unexpected "${unexpected}": ${name} takes options only; ${help} shows them`);
  if (!parsed.success) throw new Misuse(problemOf(parsed.error.issues, values, help));
  const { stage, data, json, help: _, ...own } = parsed.data;
  return { values: own, target: { stage, data } as Target, json: json === true };
}

/** The command of a name. Throws Misuse for an unknown one. */
export function commandOf(commands: Record<string, Command>, name: string): Command {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found)
    throw new Misuse(`Unknown command "${name}": ${suggestion(name, Object.keys(commands), `${RUN}--help`)}`);
  return found;
}
