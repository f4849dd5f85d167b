import type { Deployment } from './kind.ts';

/** Variables that come from `-c` settings. */

type Given = readonly (readonly [variable: string, text: string])[];

/** Those that are set; `from` has the settings by variable. */
export const givenVariables = (
  from: Readonly<Record<string, string>>,
  setting: Deployment['setting'],
): Given =>
  Object.entries(from).flatMap(([variable, name]) => {
    const text = setting(name);
    return text === undefined ? [] : [[variable, text] as const];
  });

/** As functions have them: what ends with `_SECRET` is the name of a secret. */
export const shownVariables = (given: Given, secret: Deployment['secret']): Record<string, string> =>
  Object.fromEntries(given.map(([name, text]) => [name, name.endsWith('_SECRET') ? secret(text) : text]));
