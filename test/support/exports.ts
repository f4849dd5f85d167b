import type { ExportDraft } from '#shared/domain/exchange/exports/export.ts';
import { handler } from '../../functions/queues/export-records.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Exports of records. Need `startWorkspace({ files: true })`, without workers: the test delivers the messages. */

/** Runs all exports that wait. */
export async function runExports({ table }: Workspace, remaining_ms = 300_000): Promise<void> {
  const jobs = await openJobs(table, 'export-records');
  for (const { id, body } of jobs) await deliverMessages(handler, [{ job_id: id, ...body }], remaining_ms);
}

export async function createExport({ api }: TestUser, draft: ExportDraft) {
  return (await api.createExport({ body: { export: draft } })).body.export;
}

export async function retrieveExport({ reader }: TestUser, id: string) {
  return (await reader.retrieveExport({ params: { id } })).body.export;
}

/** The file of an export, with what it is served as. */
export async function exportFile(workspace: Workspace, user: TestUser, draft: ExportDraft) {
  const { id } = await createExport(user, draft);
  await runExports(workspace);
  const done = await retrieveExport(user, id);
  const response = await fetch(`${done.url}`);
  return {
    export: done,
    headers: response.headers,
    text: Buffer.from(await response.arrayBuffer()).toString(),
  };
}
