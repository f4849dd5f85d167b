import { type Key, keys } from '#shared/table/keys.ts';
import { asRead, type Item, type Table, update, type Write } from '#shared/table/table.ts';

/**
 * Limits of what one user has, where it is counted before it is written: of two requests at once, the second one counts
 * again, and so finds what the first one added.
 */

type Additions = Item & { additions?: number };

/** To be read before what is limited is counted. */
export async function additionsOf(
  table: Table,
  user_id: string,
  what: 'api_keys' | 'followed' | 'pins',
): Promise<Additions> {
  const key: Key = keys.additions(user_id, what);
  return { ...(await table.get<Additions>(key)), ...key };
}

/** Fails when another one was added meanwhile. */
export const oneMore = ({ PK, SK, additions }: Additions): Write =>
  update<Additions>({ PK, SK }, { add: { additions: 1 }, when: { additions: asRead(additions) } });
