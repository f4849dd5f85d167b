import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { NamedItem } from './named-kind.ts';
import { isVisible } from './policy.ts';

/** The names of those records of a type that the caller sees, by id. */
export async function visibleNames(
  { table, caller }: CallerContext,
  type: RecordType,
  ids: string[],
): Promise<[id: string, name: string][]> {
  const read = await table.getMany<NamedItem>([...new Set(ids)].map((id) => keys.record(type, id)));
  return read.filter((record) => isVisible(record, caller)).map(({ id, name }) => [id, name]);
}
