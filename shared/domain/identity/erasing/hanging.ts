import { type Key, keys, type RecordType, type ThreadOwner } from '#shared/table/keys.ts';
import { type Erasable, partsOf } from './partitions.ts';

/** What hangs on an item and does not say whose it is: it goes first, so that it is always found. */

export interface Hanging {
  /** Whole partitions. */
  partitions: string[];
  keys: Key[];
  /** Ids of uploads, whose bytes are not under their account. */
  uploads: string[];
}

const nothing: Hanging = { partitions: [], keys: [], uploads: [] };

/** What other partitions have of a record. */
function ofRecord(type: RecordType, id: string): Hanging {
  const owners: string[] = ['organizations', 'spaces'] satisfies ThreadOwner[];
  return {
    ...nothing,
    partitions: [
      keys.reminded(type, id, 0).PK,
      ...(owners.includes(type) ? [keys.ownerRow(type as ThreadOwner, id, '').PK] : []),
    ],
    keys: type === 'contacts' ? [keys.keptMerge(id)] : [],
  };
}

function ofRow({ SK }: Erasable): Hanging {
  const [kind, first = '', second = '', ...more] = SK.split('#');
  if (kind === 'COMMENT' && second === '') return { ...nothing, keys: [keys.commentPointer(first)] };
  if (kind === 'MESSAGE' && more.length === 0) return { ...nothing, partitions: [keys.look(second, '').PK] };
  return nothing;
}

const runsOf = ({ id = '', run = 0 }: Erasable): string[] =>
  Array.from({ length: run }, (_, i) => keys.importRows(id, i + 1, 0).PK);

/** What hangs on an item. */
export function hangingOn(item: Erasable): Hanging {
  const [kind, first = '', second = ''] = partsOf(item);
  if (kind === 'RECORD')
    return item.SK === keys.record('contacts', '').SK ? ofRecord(first as RecordType, second) : ofRow(item);
  if (kind === 'CONVERSATIONS')
    return { ...nothing, partitions: [keys.conversationMessage(item.id ?? '', '').PK] };
  if (kind === 'RECORDIMPORTS') return { ...nothing, partitions: runsOf(item) };
  if (kind === 'UPLOAD') return { ...nothing, uploads: [first] };
  return nothing;
}

export const together = (all: Hanging[]): Hanging => ({
  partitions: [...new Set(all.flatMap(({ partitions }) => partitions))],
  keys: all.flatMap((each) => each.keys),
  uploads: all.flatMap(({ uploads }) => uploads),
});
