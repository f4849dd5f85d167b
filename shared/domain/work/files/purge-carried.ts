import { removalOf } from '#shared/domain/collaboration/life/end.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, type Table, update } from '#shared/table/table.ts';
import type { File } from './file.ts';

/** The end of a file that came with mail which was purged. */

/** No mail has it, no user linked or shared it, and nothing is forgotten of who had it. */
const isUnused = ({ source, carriers = [], links, shares, crowded }: File) =>
  source === 'attachment' &&
  carriers.length === 0 &&
  links.length === 0 &&
  Object.keys(shares ?? {}).length === 0 &&
  crowded === undefined;

/** From then on nobody finds it, and a job removes it. Nothing of a file that is used. */
export function purgeCarried(table: Table, id: string, now: Date): Promise<void> {
  return retryOnConflict(async () => {
    const file = await table.get<File>(keys.record('files', id));
    if (!file || file.leaves_mark || !isUnused(file)) return;
    const { updated_at, carried, shares } = file;
    const ending = update<File>(keyOf(file), {
      set: { deleting: true, purging: true, leaves_mark: true },
      remove: ['list', 'rank'],
      when: { ...isLive, updated_at, carried: asRead(carried), shares: asRead(shares) },
    });
    const job = { ...removalOf({ type: 'files', id }, now), due: now.getTime(), sends: 0 };
    await table.transact([ending, enqueue(job)]);
  });
}
