import { retry } from './backoff.ts';
import { ConditionFailed } from './table.ts';

/**
 * Reads and writes again when another request changed what was read. Throws ConditionFailed when the conflicts do not
 * end.
 */
export function retryOnConflict<T>(readAndWrite: () => Promise<T>): Promise<T> {
  return retry(readAndWrite, (error) => error instanceof ConditionFailed);
}
