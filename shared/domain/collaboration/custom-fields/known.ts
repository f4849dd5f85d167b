import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '#shared/domain/collaboration/record-lists/granted.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { CustomField, DefinedType } from './custom-field.ts';
import { readFields } from './store.ts';

/** The definitions that this process has read, as nobody changes them often. */

/** Accounts and types; a set of definitions has up to a few kB. */
const MOST = 100;

const known = new Map<string, CustomField[]>();

function remember(name: string, fields: CustomField[]): CustomField[] {
  known.delete(name);
  known.set(name, fields);
  const [oldest] = known.keys();
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
  return fields;
}

/** The definitions of a record type: those from before are taken for granted, and read again beside. */
export async function fieldsBeside(
  { table, caller: { account } }: CallerContext,
  type: DefinedType,
  granted: Granted | undefined,
): Promise<CustomField[]> {
  const name = `${account.id} ${type}`;
  const before = known.get(name);
  const read = async () => remember(name, await readFields(table, account.id, type));
  if (!granted) return read();
  const reading = granted.once(`fields of ${type}`, read);
  if (granted.isWrong || !before) return reading;
  granted.take(reading.then((fields) => isDeepStrictEqual(fields, before)));
  return before;
}
