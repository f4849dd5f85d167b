import { gunzipSync, gzipSync } from 'node:zlib';
import type { Merged } from '#shared/domain/collaboration/records/merged.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';
import type { Contact } from '../contact.ts';

/** Both contacts of a merge as they were, for as long as it can be taken back. */

/** Milliseconds. */
const KEPT = 7 * 86_400_000;

type KeptItem = Item & {
  /** As compressed JSON: three contacts, of which the third repeats the others. */
  bytes: Uint8Array;
  expires_epoch: number;
};

interface StoredSet {
  set_of: string[];
}

const isStoredSet = (value: unknown): value is StoredSet =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<StoredSet>).set_of);

const written = (merged: Merged<Contact>) =>
  JSON.stringify(merged, (_, value: unknown) => (value instanceof Set ? { set_of: [...value] } : value));

const read = (json: string): Merged<Contact> =>
  JSON.parse(json, (_, value: unknown) => (isStoredSet(value) ? new Set(value.set_of) : value));

export function keptMerge(merged: Merged<Contact>, now: Date): Write {
  const item: KeptItem = {
    ...keys.keptMerge(merged.gone.id),
    bytes: gzipSync(written(merged)),
    expires_epoch: Math.ceil((now.getTime() + KEPT) / 1_000),
  };
  return { put: item };
}

/** Undefined for a merge that can no longer be taken back: DynamoDB may take days to remove what has expired. */
export async function findKeptMerge(
  table: Table,
  contact_id: string,
  now: Date,
): Promise<Merged<Contact> | undefined> {
  const item = await table.get<KeptItem>(keys.keptMerge(contact_id));
  if (!item || item.expires_epoch * 1_000 <= now.getTime()) return undefined;
  return read(gunzipSync(item.bytes).toString('utf8'));
}
