import * as z from 'zod';
import { importableTypes } from '#shared/domain/exchange/records/fields.ts';
import { derived, fixed, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { ofAtMost, timestamp, uuid } from '#shared/values.ts';

/** An export of records into a file. */

const exportFormats = ['csv', 'ndjson', 'vcard', 'ics'] as const;

const recordType = z.enum(importableTypes);
const format = z.enum(exportFormats);
const filters = z.record(z.string(), z.string());

/** No list has as many. */
const MOST_FILTERS = 200;

/** Days that the file is kept; the bucket deletes it as well (infra/aws/data-stack.ts). */
export const KEPT_DAYS = 7;

const exports = resource('Export', {
  id: given(uuid),
  user_id: given(uuid),
  record_type: fixed(required(recordType, recordType)),
  format: fixed(required(format, format)),
  filters: fixed(optional(ofAtMost(MOST_FILTERS, filters).nullish(), filters)),
  status: given(z.enum(['pending', 'running', 'complete', 'failed'])),
  records_written: given(z.int()),
  file_name: given(z.string().meta({ example: 'contacts-2026-11-20.csv' })),
  size: given(z.int().nullable()),
  url: derived(z.string().nullable()),
  url_expires_at: derived(timestamp.nullable()),
  error: given(z.strictObject({ code: z.string(), message: z.string() }).nullable()),
  created_at: given(timestamp),
  finished_at: given(timestamp.nullable()),
  expires_at: given(timestamp.nullable()),
  updated_at: derived(timestamp.nullable()),
});

export type RecordExport = Item &
  StoredFields<typeof exports.fields> & {
    account_id: string;
    job_id: string;
    /** Keys of custom fields with columns of their own; missing in exports from before there were any. */
    custom_fields?: string[];
    /** The page with which writing continues; undefined before the first. */
    after?: string;
    /** The upload of the parts that are written, with their tags and bytes. */
    upload?: string;
    parts: string[];
    bytes: number;
  };

/** docs/specification/imports.md, "Exports". */
export const exportSchema = exports.response;

export const exportDraft = exports.draft.meta({ id: 'ExportDraft' });

export type ExportDraft = z.output<typeof exportDraft>;

export const isFinished = ({ status }: Pick<RecordExport, 'status'>): boolean =>
  status === 'complete' || status === 'failed';

export interface Link {
  url: string;
  expires_at: string;
}

/** `link` only where one export is retrieved. */
export const presentExport = (found: RecordExport, link?: Link): z.input<typeof exportSchema> =>
  exports.present(found, {
    url: link?.url ?? null,
    url_expires_at: link?.expires_at ?? null,
    updated_at: found.finished_at,
  });
