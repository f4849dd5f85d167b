import type { Access } from '#shared/api/route.ts';
import type { Deployment, Kinds } from '#shared/uses/kind.ts';
import type { Use } from '#shared/uses/kinds.ts';

/** What follows from the `uses` of a function, by the declarations of their kinds. */

export interface Known {
  kinds: Kinds;
  deployment: Deployment;
}

/** The used modes of each kind; an empty set for a kind without modes. */
export function usedModes(uses: readonly string[], kinds: Kinds): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const use of uses) {
    const [name = '', mode] = use.split(':');
    if (!Object.hasOwn(kinds, name)) throw new Error(`Nothing of this kind can be used: ${use}`);
    const modes = used.get(name) ?? new Set();
    if (mode !== undefined) modes.add(mode);
    used.set(name, modes);
  }
  return used;
}

/** The normal form of uses: sorted, without duplicates and without those that others include. */
export function normalizeUses(uses: readonly Use[], kinds: Kinds): Use[] {
  const normal = new Set<string>(uses);
  for (const [name, { includes = {} }] of Object.entries(kinds))
    for (const [mode, included] of Object.entries(includes))
      if (normal.has(`${name}:${mode}`)) normal.delete(`${name}:${included}`);
  return ([...normal] as Use[]).sort();
}

/**
 * The environment variables that follow from a function's uses. A function with authentication also reads its caller.
 */
export function usedVariables(
  uses: readonly Use[],
  access: Access | 'job',
  { kinds, deployment, local_endpoints }: Known & { local_endpoints: boolean },
): Record<string, string> {
  const authenticates = access !== 'public' && access !== 'job';
  const used = usedModes(authenticates ? [...uses, 'table:read'] : uses, kinds);
  const variables: Record<string, string> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    Object.assign(variables, kind.known?.(new Set(uses), deployment));
    const modes = used.get(name);
    if (!modes) continue;
    Object.assign(variables, kind.variables?.(modes, deployment));
    // `sam local` sets only variables of the template; with LOCAL_ENDPOINTS an empty one is an error.
    if (local_endpoints && kind.endpoint) variables[kind.endpoint] = '';
  }
  return variables;
}
