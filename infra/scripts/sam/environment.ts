import { readAssistant } from '#shared/config.ts';
import { Misuse } from '../../cli/options.ts';
import { bracketed, EVERY_ADDRESS } from '../../local/place.ts';
import type { ReadyRun } from '../../local/run-file.ts';
import type { Docker } from './docker.ts';

/** The variables of every function of a template, with the values of the running `npm start`. */

export interface Template {
  Resources: Record<
    string,
    { Type: string; Properties?: { Environment?: { Variables?: Record<string, unknown> } } }
  >;
}

const LOOPBACK = String.raw`127\.\d+\.\d+\.\d+|\[::1\]|localhost`;

/** By which containers reach what listens on the host of the run. Throws Misuse when they do not. */
function addressFor(host: string, { machine, loopback }: Docker): string {
  const everywhere = EVERY_ADDRESS.includes(host);
  if (!everywhere && !new RegExp(`^(${LOOPBACK}|::1)$`).test(host)) return bracketed(host);
  if (machine !== undefined && (everywhere || loopback)) return machine;
  throw new Misuse(
    `Containers do not reach npm start on ${host}: start it with npm start -- --host ${machine ?? '<an address of this machine that they reach>'}`,
  );
}

/** What the functions get in containers. Throws Misuse when these do not reach the run. */
export function variablesInContainers({ host, variables }: ReadyRun, docker: Docker): Record<string, string> {
  const address = addressFor(host, docker);
  const local = new RegExp(`^(https?://)(?:${LOOPBACK})(?=[:/]|$)`);
  const { provider, questions_per_minute } = readAssistant(variables);
  const known = {
    ...variables,
    ASSISTANT_PROVIDER: provider,
    ASSISTANT_QUESTIONS_PER_MINUTE: String(questions_per_minute),
  };
  return Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, value.replace(local, `$1${address}`)]),
  );
}

/** Only a fixed value of the template is one: not an empty address, a reference, or a secret of the cloud. */
function fixed(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.includes('{{resolve:') ? value : undefined;
}

/**
 * The file for `sam local --env-vars`: by function, every variable of the template, because SAM would take those that
 * are left out from the shell. Throws Misuse when one has no value: it would mean the cloud, or nothing.
 */
export function environmentOf(
  template: Template,
  known: Readonly<Record<string, string>>,
): Record<string, Record<string, string>> {
  const missing = new Set<string>();
  const functions: Record<string, Record<string, string>> = {};
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const variables: Record<string, string> = {};
    for (const [name, value] of Object.entries(Properties?.Environment?.Variables ?? {})) {
      const found = known[name] || fixed(value);
      if (found === undefined) missing.add(name);
      else variables[name] = found;
    }
    functions[id] = variables;
  }
  if (missing.size > 0)
    throw new Misuse(
      `The running npm start names no ${[...missing].join(', ')}: start it again, from this version of the sources.`,
    );
  return functions;
}
