import { calendarIdOf } from '#shared/domain/calendar/calendars/store.ts';
import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

/** A file of records that is imported, and afterwards an export of records of the same type. */
export interface DemoTable {
  by: DemoUserKey;
  file_name: string;
  record_type: 'contacts' | 'organizations' | 'deals' | 'tasks' | 'calendar_events';
  lines: readonly string[];
  /** Only tried, and not applied. */
  dry_run: boolean;
}

export async function addTables(workspace: Workspace, tables: readonly DemoTable[]): Promise<void> {
  for (const { by, file_name, record_type, lines, dry_run } of tables) {
    const { api, mailbox_id } = workspace.user(by);
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const draft = { file_name, content_type: 'text/csv', size: bytes.length };
    const { upload } = (await api.createUpload({ body: { upload: draft } })).body;
    await fetch(`${upload.url}`, { method: 'PUT', headers: upload.headers ?? {}, body: bytes });
    const isCalendar = record_type === 'calendar_events';
    const into = isCalendar ? { calendar_id: calendarIdOf(mailbox_id ?? '') } : {};
    await api.createImport({ body: { import: { upload_id: upload.id, record_type, dry_run, ...into } } });
    const format = isCalendar ? 'ics' : 'csv';
    await api.createExport({ body: { export: { record_type, format } } });
  }
}
