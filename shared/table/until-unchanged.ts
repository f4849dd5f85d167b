import { backoff, CONFLICT_TRIES } from './backoff.ts';
import { ConditionFailed } from './table.ts';

/**
 * Reads and writes once more when another request changed what was read before it was written. Throws ConditionFailed
 * when that goes on and on.
 */
export async function untilUnchanged<T>(readAndWrite: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt >= CONFLICT_TRIES) throw error;
      await backoff(attempt);
    }
  }
}
