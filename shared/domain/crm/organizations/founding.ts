import { indexingJob } from '#shared/domain/collaboration/record-lists/job.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { foldName } from '#shared/folding.ts';
import { mustNotExist, type Write } from '#shared/table/table.ts';
import { newOrganization } from './create.ts';
import { nameHolders, newNameHolders } from './names.ts';
import type { Organization } from './organization.ts';

/** Organizations that another record names: found by the name, or created with that record. */

export interface Named {
  /** The id by the name, as it was given. */
  ids: Map<string, string>;
  /** Those that do not exist yet. */
  founded: Organization[];
}

/** The oldest visible organization of each name, trimmed and without case, else a new one. */
export async function findOrFound(
  ctx: CallerContext,
  names: string[],
  visibility: 'account' | 'private',
): Promise<Named> {
  const byFolded = new Map(names.toReversed().map((name) => [foldName(name), name]));
  const found = await nameHolders.find(ctx, [...byFolded.keys()]);
  const founded = [...byFolded]
    .filter(([folded]) => !found.has(folded))
    .map(([, name]) => newOrganization(ctx.caller, { name, visibility }, ctx.now));
  const known = new Map([
    ...[...found].map(([folded, { id }]) => [folded, id] as const),
    ...founded.map(({ name, id }) => [foldName(name), id] as const),
  ]);
  return { ids: new Map(names.map((name) => [name, known.get(foldName(name)) as string])), founded };
}

/** Fails when somebody else creates an organization of one of the names meanwhile: then it is found. */
export async function founding(ctx: CallerContext, founded: Organization[]): Promise<Change> {
  if (founded.length === 0) return noChange;
  const names = await Promise.all(founded.map((each) => newNameHolders.change(ctx, undefined, each)));
  const puts = founded.map((each): Write => ({ put: each, when: mustNotExist }));
  const ids = founded.map(({ id }) => id);
  const job = indexingJob({ record_type: 'organizations', record_ids: ids }, ctx.now);
  return { writes: [...puts, ...names.flat()], jobs: [job] };
}
