import * as z from 'zod';
import { definedTypes } from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { readFields } from '#shared/domain/collaboration/custom-fields/store.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { invalidField } from '#shared/errors.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { newId } from '#shared/ids.ts';
import { isKeyed, isKnown, readKeyed } from '#shared/keyed.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist } from '#shared/table/table.ts';
import type { ExportDraft, RecordExport } from './export.ts';
import { fileKinds } from './file-kinds.ts';
import { type ExportContext, exportSources } from './sources.ts';

/** 400 for filters that the list does not have: without them the export would have more than was asked for. */
export function readFilters({ record_type, filters }: Pick<RecordExport, 'record_type' | 'filters'>) {
  const source = exportSources[record_type];
  const fields = new Fields();
  const isFilter = isKnown(source.filters);
  for (const name of Object.keys(filters))
    if (!isFilter(name))
      fields.add(`filters.${name}`, 'invalid', `is no filter of the list of ${record_type}`);
  const sent = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [value]]));
  const keyed = Object.keys(source.filters).filter((name) => isKeyed(source.filters[name]));
  const read = Object.fromEntries(keyed.map((name) => [name, readKeyed(name, sent, fields)]));
  const parsed = parseShape(
    z.object({ filters: z.object(source.filters) }),
    { filters: { ...filters, ...read } },
    fields,
  );
  fields.throwIfAny();
  return (parsed as { filters: Record<string, unknown> }).filters;
}

/** The keys of custom fields that have columns of their own. */
async function definedKeys({ table, caller: { account } }: ExportContext, type: string): Promise<string[]> {
  const defined = definedTypes.find((each) => each === type);
  if (!defined || !account.has_custom_fields) return [];
  return (await readFields(table, account.id, defined)).map(({ key }) => key);
}

/** 404 for what the filters name and the caller does not see. */
export async function createExport(ctx: ExportContext, draft: ExportDraft): Promise<RecordExport> {
  const { caller, now } = ctx;
  const { record_type, format, filters } = { ...draft, filters: draft.filters ?? {} };
  if (format === 'vcard' && record_type !== 'contacts')
    throw invalidField('format', 'invalid', 'is for contacts');
  if ((format === 'ics') !== (record_type === 'calendar_events'))
    throw invalidField('format', 'invalid', 'is ics for calendar events, and for nothing else');
  const read = readFilters({ record_type, filters });
  const [custom_fields] = await Promise.all([
    format === 'csv' ? definedKeys(ctx, record_type) : [],
    exportSources[record_type].page(ctx, read, { limit: 1, after: undefined }),
  ]);
  const id = newId(now);
  const job = newJob('export-records', { user_id: caller.user.id, export_id: id }, now);
  const created: RecordExport = {
    ...keys.recordExport(caller.user.id, id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    job_id: job.id,
    ...{ record_type, format, filters, custom_fields },
    status: 'pending',
    records_written: 0,
    file_name: `${record_type}-${now.toISOString().slice(0, 10)}.${fileKinds[format].ending}`,
    size: null,
    ...{ parts: [], bytes: 0, error: null },
    created_at: now.toISOString(),
    ...{ finished_at: null, expires_at: null },
  };
  await commit(ctx, { writes: [{ put: created, when: mustNotExist }], jobs: [job] });
  return created;
}
