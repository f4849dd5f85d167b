import { asRecord } from '#shared/domain/collaboration/activity/happened.ts';
import type { Change } from '#shared/domain/collaboration/history/difference.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { Contact } from '../contact.ts';

/** What the histories of two contacts say of their merge, and of its end. */

const field = 'merged_ids';

/** `merged_into` is a link, which only those who see the survivor see. */
export const mergesOf = ({ merged_ids = [], merged_into }: Contact) => ({
  merged_ids,
  merged_into: merged_into === undefined ? null : { type: 'contact', id: merged_into },
});

/** Of a contact that is private again, the survivor's history and timeline keep that it was merged, and no value or field. */
export function mergeHistory(
  index: RecordIndex<Contact>,
  { visibility }: Pick<Contact, 'visibility'>,
): RecordIndex<Contact> {
  if (visibility !== 'private') return index;
  return { ...index, history: mergesOf, activity: asRecord(mergesOf) };
}

/** An entry that is stored already, without the values. */
export function privateHistory(changes: string): string {
  const all: Change[] = JSON.parse(changes);
  return JSON.stringify(all.filter((change) => change.field === field));
}
