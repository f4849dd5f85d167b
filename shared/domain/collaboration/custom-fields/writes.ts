import { indexingJob } from '#shared/domain/collaboration/record-lists/job.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keyOf } from '#shared/table/keys.ts';
import { mustNotExist, type Write, when } from '#shared/table/table.ts';
import type { CustomField, DefinedType, FieldSet } from './custom-field.ts';

/**
 * The job that brings all records of the type to its definitions. The sweep sends it after a minute: by then no request
 * writes a record that it planned without them.
 */
export function bringingJob({ caller: { account }, now }: CallerContext, type: DefinedType): Job {
  const id = newId(now);
  return indexingJob({ account_id: account.id, all_of: type, job_id: id }, now, id);
}

/** Unless the set changed since it was read. */
export function setFields(before: FieldSet, fields: CustomField[]): Write {
  const { version } = before;
  const put = { ...keyOf(before), fields, version: version + 1 };
  return { put, when: version === 0 ? mustNotExist : when<FieldSet>({ version }) };
}

export const changeOf = (before: FieldSet, fields: CustomField[], job: Job | undefined): Change => ({
  writes: [setFields(before, fields)],
  jobs: job ? [job] : [],
});
