import { ConditionFailed } from './failures.ts';
import type { Table, Write } from './table.ts';

/** False, and nothing is written, when one of the conditions fails. */
export async function tryTransact(table: Table, writes: Write[]): Promise<boolean> {
  try {
    await table.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
