import { retry } from './backoff.ts';
import { ConditionFailed } from './table.ts';

/**
 * Reads and writes once more when another request changed what was read before it was written. Throws ConditionFailed
 * when that goes on and on.
 */
export function retryOnConflict<T>(readAndWrite: () => Promise<T>): Promise<T> {
  return retry(readAndWrite, (error) => error instanceof ConditionFailed);
}
