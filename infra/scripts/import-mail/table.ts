import { createClient } from '#shared/api/client.ts';
import { families } from '../../../functions/catalogue.ts';
import { type Archive, uploadFile } from '../import-archive.ts';
import type { TableOptions } from './options.ts';

/** Imports a file of records through the API: upload, try, apply. */

type Client = ReturnType<typeof createClient<typeof families>>;
type TableImport = Awaited<ReturnType<Client['retrieveImport']>>['body']['import'];
type Row = Awaited<ReturnType<Client['listImportRows']>>['body']['collection']['records'][number];

export interface Done {
  import: TableImport;
  /** The first rows that failed. */
  failed: Row[];
}

/** Milliseconds between two polls. */
const WAIT = 300;
const SHOWN = 100;

/** Resolves when the import has ended; `watch` gets it meanwhile. */
export async function importTable(
  options: Omit<TableOptions, 'table'>,
  file: Archive,
  watch: (found: TableImport) => void,
): Promise<Done> {
  const api = createClient(families, options);
  const { record_type, calendar_id } = options;
  const into = calendar_id === undefined ? {} : { calendar_id };
  const draft = { upload_id: await uploadFile(options, file), record_type, ...into };
  const created = await api.createImport({ body: { import: { ...draft, dry_run: !options.apply } } });
  let found = created.body.import;
  while (found.status !== 'complete' && found.status !== 'failed') {
    watch(found);
    await new Promise((resolve) => setTimeout(resolve, WAIT));
    found = (await api.retrieveImport({ params: { id: found.id } })).body.import;
  }
  watch(found);
  const query = { failed: 'true', limit: SHOWN } as never;
  const { body } = await api.listImportRows({ params: { import_id: found.id }, query });
  return { import: found, failed: body.collection.records };
}

export const progressOf = ({ percent, rows_read, rows_failed }: TableImport): string =>
  `${percent} %  ${rows_read} rows, ${rows_failed} failed`;

function rowLine({ number, error }: Row): string {
  const fields = Object.entries(error?.fields ?? {}).map(([name, { message }]) => `${name} ${message}`);
  return `  row ${number}: ${error?.code}: ${fields.join('; ') || error?.message}`;
}

/** The columns with their fields, the counts, and what failed. */
export function tableReport({ import: done, failed }: Done, { apply }: { apply: boolean }): string {
  const { status, error, columns, rows_read, rows_created, rows_updated, rows_unchanged, rows_failed } = done;
  const mapping = columns.map(({ name, field }) => `  ${name} -> ${field ?? '(left out)'}`);
  const counts = `${rows_read} rows, ${rows_created} created, ${rows_updated} updated, ${rows_unchanged} unchanged, ${rows_failed} failed`;
  return [
    ...mapping,
    `${apply ? status : `tried, ${status}`}: ${counts}`,
    ...failed.map(rowLine),
    ...(error ? [`  ${error.code}: ${error.message}`] : []),
    ...(apply ? [] : ['Nothing was stored: --apply stores the records.']),
  ].join('\n');
}

/** Whether every row became a record. */
export const isWholeTable = ({ import: { status, rows_failed } }: Done): boolean =>
  status === 'complete' && rows_failed === 0;
