import type { Context } from '#shared/context.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { NewJob } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { type Item, type Write, when } from '#shared/table/table.ts';

/**
 * Says when to look at a record, and for which work; whether there is anything to do is read from the record at that
 * moment. So one that no longer fits is harmless, and no change has to find and remove it (docs/decisions/0053). What is
 * not due yet costs nothing.
 */
export type DueWork<Type extends string = RecordType> = Item & {
  work: Work;
  record_type: Type;
  record_id: string;
  /** Milliseconds. */
  at: number;
  /** Another one for each time that it was written. */
  version: string;
  /** It may have ended the process of its runs: how often, and when last, in milliseconds. */
  suspect?: { notes: number; noted: number };
};

/**
 * `remind` users of it; `purge` it after its deletion; `forget` that it ended; mail a user the `digest`; `sync` its calendars
 * with their server; `read` its mail; `follow` the file of a calendar; `send` it; `discard` what left it; `brief` a
 * user on the day.
 */
export type Work =
  | 'remind'
  | 'purge'
  | 'forget'
  | 'digest'
  | 'sync'
  | 'read'
  | 'follow'
  | 'send'
  | 'discard'
  | 'brief';

export const refOf = ({ record_type, record_id }: DueWork): RecordRef => ({
  type: record_type,
  id: record_id,
});

/** Lets a record wait for a moment. */
export function dueWrite<Type extends string = RecordType>(
  work: Work,
  { type, id }: { type: Type; id: string },
  at: number,
  now: Date,
): Write & { put: DueWork<Type> } {
  const key = keys.dueWork(at, work, type, id);
  return { put: { ...key, work, record_type: type, record_id: id, at, version: newId(now) } };
}

/** Goes with the transaction that does the work. Fails when a change of the record has written it again since. */
export const doneWrite = ({ PK, SK, version }: DueWork<string>): Write => ({
  delete: { PK, SK },
  when: when<DueWork>({ version }),
});

/** Enqueues the job of planned work: nothing when it was planned anew, or given up, since. */
export async function beginPlanned(
  ctx: Context,
  due: DueWork<string>,
  { planned, job }: { planned: string | null | undefined; job: () => NewJob },
): Promise<void> {
  const isPlanned = planned != null && Date.parse(planned) === due.at;
  await commit(ctx, { writes: [doneWrite(due)], jobs: isPlanned ? [job()] : [] });
}
