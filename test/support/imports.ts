import type { ImportDraft } from '#shared/domain/exchange/imports/import.ts';
import { handler } from '../../functions/queues/import-records.ts';
import { givenUpload } from './files.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Imports of records. Need `startWorkspace({ files: true })`, without workers: the test delivers the messages. */

type Settings = Partial<Omit<ImportDraft, 'upload_id'>>;

interface Given {
  name?: string;
  bytes: string | Buffer;
}

/** Runs all imports that wait. */
export async function runImports({ table }: Workspace, remaining_ms = 300_000): Promise<void> {
  const jobs = await openJobs(table, 'import-records');
  for (const { id, body } of jobs) await deliverMessages(handler, [{ job_id: id, ...body }], remaining_ms);
}

export async function createImport(
  user: TestUser,
  { name = 'contacts.csv', bytes }: Given,
  settings: Settings = {},
) {
  const { id: upload_id } = await givenUpload(user, { name, type: 'text/csv', bytes });
  const draft = { record_type: 'contacts' as const, ...settings, upload_id };
  return (await user.api.createImport({ body: { import: draft } })).body.import;
}

export async function retrieveImport({ api }: TestUser, id: string) {
  return (await api.retrieveImport({ params: { id } })).body.import;
}

/** All rows, page by page. */
export async function rowsOf({ api }: TestUser, id: string, query: { failed?: 'true'; limit?: number } = {}) {
  const found = [];
  for (let next_cursor: string | null | undefined; next_cursor !== null; ) {
    const paged = { ...query, ...(next_cursor ? { next_cursor } : {}) };
    const { body } = await api.listImportRows({ params: { import_id: id }, query: paged as never });
    found.push(...body.collection.records);
    next_cursor = body.collection.page_info.next_cursor;
  }
  return found;
}

/** Imports a file to its end: at once, unless `dry_run` is true. */
export async function importFile(
  workspace: Workspace,
  user: TestUser,
  given: Given,
  settings: Settings = {},
) {
  const { id } = await createImport(user, given, { dry_run: false, ...settings });
  await runImports(workspace);
  return { import: await retrieveImport(user, id), rows: await rowsOf(user, id) };
}
