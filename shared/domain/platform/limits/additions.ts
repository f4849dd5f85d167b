import { type Key, keyOf } from '#shared/table/keys.ts';
import { asRead, type Item, type Table, update, type Write } from '#shared/table/table.ts';

/**
 * Limits of what a user or an account has, where it is counted before it is written: of two requests at once, the second one
 * counts again, and so finds what the first one added.
 */

type Additions = Item & { additions?: number };

/** To be read before what is limited is counted. */
export async function additionsOf(table: Table, key: Key): Promise<Additions> {
  return { ...(await table.get<Additions>(key)), ...key };
}

/** Fails when another one was added meanwhile. */
export const oneMore = ({ additions, ...item }: Additions): Write =>
  update<Additions>(keyOf(item), { add: { additions: 1 }, when: { additions: asRead(additions) } });
