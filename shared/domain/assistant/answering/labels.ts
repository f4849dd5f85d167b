import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import { commentableTypes, singular } from '#shared/domain/collaboration/records/types.ts';
import { type Labels, type Ref, refKey } from '#shared/domain/collaboration/replies/block.ts';
import { cut } from '#shared/domain/collaboration/replies/display.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** The types of records that replies name. */
const labelled = [...commentableTypes, 'tasks', 'milestones'] as const;

/** The name of a record as the caller sees it, shortened; null when it is hidden. */
async function labelOf(ctx: CallerContext<SeesRecords>, { type, id }: Ref): Promise<string | null> {
  const recordType = labelled.find((each) => singular(each) === type);
  const record = recordType && (await findVisible(ctx, { type: recordType, id }));
  const [name = null] = record ? Object.values(record.label) : [];
  return name === null ? null : cut(name);
}

/** The names of the records as the caller sees them; reads each record once. */
export async function readLabels(ctx: CallerContext<SeesRecords>, refs: Ref[]): Promise<Labels> {
  const distinct = new Map(refs.map((ref) => [refKey(ref), ref]));
  const labels = [...distinct].map(
    async ([key, ref]): Promise<[string, string | null]> => [key, await labelOf(ctx, ref)],
  );
  return new Map(await Promise.all(labels));
}
