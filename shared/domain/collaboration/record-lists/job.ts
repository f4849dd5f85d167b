import type { DefinedType } from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { RecordType } from '#shared/table/keys.ts';

/** Addresses that a contact has from now on, for the lists of mailboxes. */
export interface OfAddresses {
  account_id: string;
  addresses: string[];
}

/** Records whose lists may have changed; `and_linked`: those that are linked to one of them as well. */
export interface OfRecords {
  record_type: RecordType;
  record_ids: string[];
  and_linked?: true;
  with_addresses?: OfAddresses;
}

/** The records that are linked to one. */
export interface OfLinked {
  linked_to: RecordRef;
  /** The last that is done. */
  after?: string;
}

/** A group whose members changed; `ended` when it is gone. */
export interface OfGroup {
  account_id: string;
  group_id: string;
  ended?: true;
  /** The last share of the group that is done. */
  after?: string;
}

/** All records of a type, of which an account defines the custom fields anew. */
export interface OfAccount {
  account_id: string;
  all_of: DefinedType;
  /** Of this job, by which definitions wait for it. */
  job_id: string;
  /** The owner whose lists are next, and the last record of them that is done. */
  after?: { owner: string; rank?: string };
}

/** The message of the queue `index-records`. */
export type Indexing = OfRecords | OfLinked | OfGroup | OfAccount | OfAddresses;

/** Milliseconds after which the sweep sends what its request did not do: longer than a request may run. */
const UNSENT = 60_000;

/** With an `id` of its own, enqueueing it again finds the same job. */
export function indexingJob(indexing: Indexing, now: Date, id?: string): Job {
  return { ...newJob('index-records', { ...indexing }, now, id), due: now.getTime() + UNSENT, sends: 0 };
}
