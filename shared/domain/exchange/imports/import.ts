import * as z from 'zod';
import { encodings } from '#shared/domain/exchange/formats/encoding.ts';
import type { CalendarHead } from '#shared/domain/exchange/formats/ics-reader.ts';
import { importableTypes } from '#shared/domain/exchange/records/fields.ts';
import type { RowOutcome } from '#shared/domain/exchange/records/store-row.ts';
import { dateOrders } from '#shared/domain/exchange/records/written-values.ts';
import {
  defaulted,
  derived,
  fixed,
  given,
  optional,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { ofAtMost, timestamp, uuid } from '#shared/values.ts';

/** An import of records from a file. Every row is counted: created, updated, unchanged or failed. */

const importFormats = ['csv', 'vcard', 'ics'] as const;

const id = uuid;
const recordType = z.enum(importableTypes);
const format = z.enum(importFormats);
const dateOrder = z.enum(dateOrders);

/** No file has as many columns. */
const MAX_MAPPED = 1_000;

/** By the name of a column, the field it is; null leaves it out. */
const mappingSchema = z
  .record(z.string(), z.string().nullable())
  .meta({ example: { 'E-mail': 'email_addresses', Phone: 'phone_numbers.work', Notes: null } });

const column = z.strictObject({
  name: z.string().meta({ example: 'E-mail' }),
  field: z.string().nullable().meta({ example: 'email_addresses' }),
  examples: z.array(z.string().meta({ example: 'ada@acme.example' })),
});

const imports = resource('Import', {
  id: given(id),
  user_id: given(id),
  upload_id: fixed(required(id, id)),
  file_name: given(z.string().meta({ example: 'contacts.csv' })),
  record_type: fixed(required(recordType, recordType)),
  format: fixed(optional(format.optional(), format)),
  encoding: given(z.enum(encodings)),
  delimiter: given(z.string().nullable().meta({ example: ',' })),
  date_order: optional(dateOrder.nullish(), dateOrder.nullable()),
  pipeline_id: fixed(optional(id.nullish(), id.nullable())),
  calendar_id: fixed(optional(id.nullish(), id.nullable())),
  dry_run: fixed(defaulted(z.boolean(), true, z.boolean())),
  status: given(z.enum(['pending', 'running', 'complete', 'failed'])),
  columns: given(z.array(column)),
  percent: derived(z.int()),
  rows_read: given(z.int()),
  rows_created: given(z.int()),
  rows_updated: given(z.int()),
  rows_unchanged: given(z.int()),
  rows_failed: given(z.int()),
  error: given(z.strictObject({ code: z.string(), message: z.string() }).nullable()),
  created_at: given(timestamp),
  started_at: given(timestamp.nullable()),
  finished_at: given(timestamp.nullable()),
  updated_at: derived(timestamp.nullable()),
});

/** Where reading continues. */
export interface Position {
  /** Bytes. */
  offset: number;
  /** Rows that were read before it, in both passes. */
  row: number;
  /** What the calendar around it has said. */
  head?: CalendarHead;
  /** Numbers of rows that stopped the import. */
  poison?: number[];
  /** The first pass has left rows to the second. */
  leaves_some?: boolean;
  /** The rows of the file: reading is in the second pass. */
  rows_of_first_pass?: number;
}

export type RecordImport = Item &
  StoredFields<typeof imports.fields> & {
    account_id: string;
    job_id: string;
    /** Bytes of the file, and where its rows begin. */
    size: number;
    begin: number;
    position: Position;
    /** Rows are listed by run: a dry run is the first. */
    run: number;
    /** Runs since rows were last recorded. */
    tries?: number;
    /** The row before which rows are read one by one. */
    careful_until?: number;
    /** The row that was begun last by itself, and how often. */
    suspect?: { row: number; notes: number };
  };

/** docs/specification/imports.md, "Imports". */
export const importSchema = imports.response;

export const importDraft = imports.draft
  .extend({ mapping: ofAtMost(MAX_MAPPED, mappingSchema).optional() })
  .meta({ id: 'ImportDraft' });

export type ImportDraft = z.output<typeof importDraft>;

/** What may change when a tried import is applied. */
export const importEdit = z
  .object({ mapping: ofAtMost(MAX_MAPPED, mappingSchema).optional(), date_order: dateOrder.nullish() })
  .meta({ id: 'ImportEdit' });

export type ImportEdit = z.output<typeof importEdit>;

export const isFinished = ({ status }: Pick<RecordImport, 'status'>): boolean =>
  status === 'complete' || status === 'failed';

function percentOf({ status, position, begin, size }: RecordImport): number {
  if (status === 'complete') return 100;
  if (position.rows_of_first_pass !== undefined) return 99;
  return size <= begin ? 0 : Math.floor(((position.offset - begin) * 100) / (size - begin));
}

export const presentImport = (found: RecordImport): z.input<typeof importSchema> =>
  imports.present(found, { percent: percentOf(found), updated_at: found.finished_at ?? found.started_at });

const fieldProblem = z.strictObject({ code: z.string(), message: z.string() });

const rowStatus = z.enum(['created', 'updated', 'unchanged', 'failed']);

/** A row of an import: what it became, or in a dry run would become. */
export const importRowSchema = z
  .strictObject({
    number: z.int(),
    status: rowStatus,
    record_id: uuid.nullable(),
    error: z
      .strictObject({
        code: z.string().meta({ example: 'email_address_taken' }),
        message: z.string(),
        fields: z.record(z.string(), fieldProblem),
      })
      .nullable(),
  })
  .meta({ id: 'ImportRow' });

export type RowStatus = z.output<typeof rowStatus>;

export type RowResult = RowOutcome & { number: number };

/** The results of some rows: an item, because one for each row would cost as much as the records. */
export type ResultsItem = Item & {
  results: RowResult[];
  expires_epoch: number;
  /** Rows that were read before those of the file: the first pass. */
  read_before?: number;
};

export function presentRow(result: RowResult): z.input<typeof importRowSchema> {
  const { number, status } = result;
  if (result.status !== 'failed') return { number, status, record_id: result.record_id, error: null };
  const { code, message, fields } = result.error;
  const byField = fields.map(({ field, ...problem }) => [field, problem] as const);
  return { number, status, record_id: null, error: { code, message, fields: Object.fromEntries(byField) } };
}
