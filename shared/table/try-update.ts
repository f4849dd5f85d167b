import { ConditionFailed } from './failures.ts';
import type { Key } from './keys.ts';
import type { Item, Table, Update } from './table.ts';

/** The item after the update; undefined when its condition fails. */
export async function tryUpdate<T extends Item>(
  table: Table,
  key: Key,
  change: Update<T>,
): Promise<T | undefined> {
  try {
    return await table.update<T>(key, change);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
