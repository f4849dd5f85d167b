import type { WithRecords } from '#shared/domain/collaboration/records/kind.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import { commentableNamed } from '#shared/domain/collaboration/records/types.ts';
import { type Labels, type Ref, refKey } from '#shared/domain/collaboration/replies/block.ts';
import { cut } from '#shared/domain/collaboration/replies/display.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';

/** The name of a record as the caller sees it, or the beginning of a long one; null when it is hidden. */
async function labelOf(services: WithRecords, caller: Caller, { type, id }: Ref): Promise<string | null> {
  const recordType = commentableNamed(type);
  const record = recordType && (await findVisible(services, caller, { type: recordType, id }));
  const [name = null] = record ? Object.values(record.label) : [];
  return name === null ? null : cut(name);
}

/** The names of the records as the caller sees them, each read once. */
export async function readLabels(services: WithRecords, caller: Caller, refs: Ref[]): Promise<Labels> {
  const distinct = new Map(refs.map((ref) => [refKey(ref), ref]));
  const labels = [...distinct].map(
    async ([key, ref]): Promise<[string, string | null]> => [key, await labelOf(services, caller, ref)],
  );
  return new Map(await Promise.all(labels));
}
