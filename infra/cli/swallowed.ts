import { nearest } from '#shared/nearest.ts';
import { Misuse, type OptionDefinitions } from './options.ts';

/**
 * Options before `--` are npm's own: `npm start --port 4000` gives this process the variable npm_config_port and the
 * argument 4000 (https://docs.npmjs.com/cli/using-npm/config#environment-variables).
 */

const PREFIX = 'npm_config_';

/** npm has options of these names itself, which may be set for good. */
const OF_NPM = ['help', 'verbose', 'json', 'key'];

interface Swallowed {
  name: string;
  /** As given with `=`; undefined when the value is an argument of its own. */
  value: string | undefined;
}

/** npm writes `--in-memory` as `in_memory`, and `--no-demo` as an empty `demo`. */
function swallowedOf(definitions: OptionDefinitions, env: NodeJS.ProcessEnv): Swallowed[] {
  return Object.keys(definitions).flatMap((name) => {
    const negated = name.startsWith('no-');
    const value = env[PREFIX + name.replace(/^no-/, '').replaceAll('-', '_')];
    if (OF_NPM.includes(name) || value === undefined || negated !== (value === '')) return [];
    return [{ name, value: value === 'true' || negated ? undefined : value }];
  });
}

/** A misspelt option that npm took, when an argument shows that it took one. */
function misspelt(definitions: OptionDefinitions, env: NodeJS.ProcessEnv): Swallowed[] {
  const names = Object.keys(definitions);
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || value !== 'true') continue;
    const name = nearest(variable.slice(PREFIX.length), names);
    if (name !== undefined && !OF_NPM.includes(name)) return [{ name, value: undefined }];
  }
  return [];
}

/** Throws Misuse with what was meant; `command` is what comes before the options, `npm start --`. */
export function refuseSwallowed(
  command: string,
  definitions: OptionDefinitions,
  positionals: string[],
  env: NodeJS.ProcessEnv,
): void {
  let taken = swallowedOf(definitions, env);
  if (taken.length === 0 && positionals.length > 0) taken = misspelt(definitions, env);
  if (taken.length === 0) return;
  const waiting = taken.filter(({ name, value }) => definitions[name]?.type === 'string' && !value);
  // The order of several arguments is npm's.
  const argument = waiting.length === 1 ? (positionals[0] ?? '<value>') : '<value>';
  const typed = taken.map(({ name, value }) => {
    const text = waiting.some((each) => each.name === name) ? argument : value;
    return text === undefined ? `--${name}` : `--${name} ${text}`;
  });
  throw new Misuse(`npm took the options for itself: put -- before them: ${command} ${typed.join(' ')}`);
}
