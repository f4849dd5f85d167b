import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { Granted } from './granted.ts';

/** The records that a filter names, under the ids that they have now. 404 for one that the caller does not see. */
export async function namedRecords(
  linked: LinkedRecords,
  refs: RecordRef[],
  granted: Granted | undefined,
): Promise<RecordRef[]> {
  const reading = linked.requireAll(refs);
  if (!granted || granted.isWrong) return reading;
  granted.take(reading.then((records) => records.every(({ id }, i) => id === refs[i]?.id)));
  return refs;
}
