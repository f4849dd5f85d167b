import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isLinkedTo, movingIn, withStatus } from './criteria.ts';
import { dealIndex } from './lists.ts';
import { readPlaces } from './store.ts';

/** The open deals with a person or for an organization that the caller sees. */
export async function countOpenDeals(ctx: CallerContext, ref: RecordRef): Promise<number> {
  const criteria = [isLinkedTo(ref), withStatus('open', movingIn(await readPlaces(ctx)))];
  return (await countRecords(ctx, { index: dealIndex, criteria }, undefined)).total;
}
