import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '#shared/nearest.ts';

/** Command lines: `parseArgs`, with errors of one line that say what to type. */

export type OptionDefinitions = NonNullable<ParseArgsConfig['options']>;

/** What somebody typed cannot be done: one line, without a stack. */
export class Misuse extends Error {}

/** "did you mean" with the name that is near, or the command that shows all. */
export function suggestion(name: string, known: readonly string[], help: string): string {
  const near = nearest(name, known);
  return near === undefined ? `${help} shows them all` : `did you mean ${near}?`;
}

function unknownOption(args: string[], options: OptionDefinitions): string | undefined {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const given = tokens.filter((token) => token.kind === 'option');
  return given.find(({ name }) => !Object.hasOwn(options, name))?.rawName;
}

/** Throws Misuse; `help` is the command that shows the options. */
export function parseOptions<const Options extends OptionDefinitions>(
  args: string[],
  options: Options,
  { help, positionals = false }: { help: string; positionals?: boolean },
) {
  const unknown = unknownOption(args, options);
  if (unknown !== undefined) {
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new Misuse(`Unknown option '${unknown}': ${suggestion(unknown, known, help)}`);
  }
  try {
    return parseArgs({ args, options, allowPositionals: positionals });
  } catch (error) {
    // Some messages of parseArgs continue with advice about its own API.
    throw new Misuse((error as Error).message.split('\n')[0]);
  }
}
