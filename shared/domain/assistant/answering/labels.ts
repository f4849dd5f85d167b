import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import { commentableTypes, singular } from '#shared/domain/collaboration/records/types.ts';
import { type Labels, type Ref, refKey } from '#shared/domain/collaboration/replies/block.ts';
import { cut } from '#shared/domain/collaboration/replies/display.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** The types of records that replies name. */
const labelled = [...commentableTypes, 'tasks', 'milestones'] as const;

const typeOf = ({ type }: Ref) => labelled.find((each) => singular(each) === type);

type Labelled = [key: string, label: string | null];

/** The name of a record as the caller sees it, shortened; nothing for a hidden one. */
async function labelOf(ctx: CallerContext<SeesRecords>, ref: Ref): Promise<Labelled[]> {
  const type = typeOf(ref);
  const record = type && (await findVisible(ctx, { type, id: ref.id }));
  if (!record) return [];
  const [name = null] = Object.values(record.label);
  return [[refKey(ref), name === null ? null : cut(name)]];
}

/** The names of the records that the caller sees; reads each record once. */
export async function readLabels(ctx: CallerContext<SeesRecords>, refs: Ref[]): Promise<Labels> {
  const distinct = new Map(refs.map((ref) => [refKey(ref), ref]));
  const labels = await Promise.all([...distinct.values()].map((ref) => labelOf(ctx, ref)));
  return new Map(labels.flat());
}

/** The same for records that have other names for other users. */
export async function readPersonalLabels(ctx: CallerContext<SeesRecords>, refs: Ref[]): Promise<Labels> {
  const isPersonal = (type: ReturnType<typeof typeOf>) => type && ctx.ports.records[type]?.personal;
  return readLabels(
    ctx,
    refs.filter((ref) => isPersonal(typeOf(ref))),
  );
}
