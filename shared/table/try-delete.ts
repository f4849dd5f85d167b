import type { Key } from './keys.ts';
import { type Condition, ConditionFailed, type Table } from './table.ts';

/** False when its condition fails. */
export async function tryDelete(table: Table, key: Key, when: Condition): Promise<boolean> {
  try {
    await table.delete(key, when);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
