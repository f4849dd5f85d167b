import type { TaggableType } from '#shared/domain/collaboration/records/types.ts';
import { newReindexing, reindexNow } from '#shared/domain/mail/threads/reindex.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import type { Services } from '#shared/services.ts';

/** Users have a list of threads for each tag: the job that brings these up to a change, for records that are threads. */

interface TaggedRecords {
  account_id: string;
  type: TaggableType;
  record_ids: string[];
}

export function listJobs(
  { account_id, type, record_ids }: TaggedRecords,
  tag_ids: string[],
  now: Date,
): Job[] {
  return type === 'threads' ? [newReindexing({ account_id, thread_ids: record_ids, tag_ids }, now)] : [];
}

/** At once; what fails is left to the queue. */
export async function updateLists(services: Services, jobs: Job[]): Promise<void> {
  for (const job of jobs) await reindexNow(services, job);
}
