import { historyWrites, type StoredEntry } from '#shared/domain/collaboration/history/entry.ts';
import { removalOf } from '#shared/domain/collaboration/life/end.ts';
import { listChange, readPlaces } from '#shared/domain/collaboration/record-lists/change.ts';
import { MAX_WRITES, recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { pairRows } from '#shared/domain/crm/duplicates/distinct.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { missing, mustExist, type Write, when } from '#shared/table/table.ts';
import { addressHolders } from '../addresses.ts';
import type { Contact } from '../contact.ts';
import { contactIndex } from '../lists.ts';
import { ownerWrites } from '../owners.ts';
import { BESIDES, externalIds, listing, withFitting } from '../writes.ts';
import { mergeHistory, privateHistory } from './history.ts';
import type { Restored } from './opening.ts';
import { groupsOf } from './parted-shares.ts';

/** The change that makes two contacts of one. */

interface Separated {
  /** The survivor after the merge, and as it is. */
  after: Contact;
  now: Contact;
  /** Both as they become. */
  survivor: Contact;
  restored: Contact;
  /** The restored one's links to what is deleted, and may come back. */
  former: Write[];
  /** What is written for the pins and the places in spaces that are more than before. */
  more: Write[];
}

/** The survivor until everything private is back under the other contact. */
function closed({ now, survivor, restored }: Separated): Contact {
  return {
    ...survivor,
    visibility: now.visibility === 'private' ? 'private' : survivor.visibility,
    returns_to: restored.id,
  };
}

const opens = ({ now, survivor }: Separated) =>
  now.visibility === 'private' && survivor.visibility === 'account';

function restoredItem(separated: Separated): Restored {
  const { opens: _, ...restored }: Restored = separated.restored;
  return { ...restored, returns_from: separated.now.id, ...(opens(separated) ? { opens: true } : {}) };
}

/** The groups' rows, so that shares end with their group. */
function groupWrites({ now, survivor, restored }: Separated): Write[] {
  const [had, has] = [groupsOf(now), groupsOf(survivor)];
  const { account_id } = now;
  const row = { account_id, record_type: 'contacts', record_id: restored.id };
  return [
    ...had
      .filter((group) => !has.includes(group))
      .map((group) => ({ delete: keys.groupShare(group, 'contacts', now.id) })),
    ...groupsOf(restored).map((group) => ({
      put: { ...keys.groupShare(group, 'contacts', restored.id), ...row },
    })),
  ];
}

/** What came from a private contact is not said to those who see the survivor later. */
async function withheld({ table }: CallerContext, { after, restored }: Separated): Promise<Write[]> {
  if (restored.visibility !== 'private') return [];
  const moment = Date.parse(after.updated_at ?? after.created_at);
  const { PK, SK } = keys.historyEntry('contacts', after.id, moment, '');
  const entries = await table.all<StoredEntry>(PK, SK);
  return entries.map((entry) => ({ put: { ...entry, changes: privateHistory(entry.changes) } }));
}

async function besides(ctx: CallerContext, separated: Separated, written: Contact): Promise<Write[]> {
  const { now } = separated;
  const gone = restoredItem(separated);
  const names = { before: now, after: written, gone };
  const [addresses, entries] = await Promise.all([
    addressHolders.separate(ctx, names),
    withheld(ctx, separated),
  ]);
  const isMerged = when<Contact>({ merged_into: now.id, merging: missing });
  const writes = [
    { put: gone, when: isMerged },
    { delete: keys.keptMerge(gone.id), when: mustExist },
    // They are two people: nobody is asked again.
    ...pairRows(now.id, gone.id),
    ...externalIds.separate(names),
    ...addresses,
    ...ownerWrites(now, written),
    ...ownerWrites(undefined, gone),
    ...groupWrites(separated),
    ...separated.former,
    ...entries,
  ];
  if (writes.length > BESIDES)
    throw invalidField('contact_id_to_unmerge', 'too_long', 'has too many organizations and groups at once');
  return withFitting(writes, separated.more);
}

/** It fails when another request changes one of both. 409 as in `contactChange`. */
export async function separation(ctx: CallerContext, separated: Separated): Promise<Change> {
  const { now, restored } = separated;
  const written = closed(separated);
  const index = mergeHistory(contactIndex, restored);
  const [change, places] = await Promise.all([
    recordChange(ctx, index, {
      before: now,
      after: written,
      parted: restored,
      besides: besides(ctx, separated, written),
    }),
    readPlaces(ctx, contactIndex, undefined, restored, true),
  ]);
  const history = historyWrites(ctx, index, { ...restored, merged_into: now.id }, restored);
  const job = removalOf({ type: 'contacts', id: restored.id }, ctx.now);
  const both = together(change, { writes: history, jobs: [job] });
  const whole = together(both, listChange(places, MAX_WRITES - 1 - sizeOf(both), ctx.now));
  // An address that the survivor gave up since.
  return listing(ctx, now, restored, whole);
}
