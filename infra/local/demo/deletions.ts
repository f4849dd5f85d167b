import { calendarOf } from './events.ts';
import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

/** What somebody deleted by mistake: a record of each type. */
export interface DemoMistakes {
  /** Who has a mailbox. */
  by: DemoUserKey;
  name: string;
}

const HOUR = 3_600_000;

async function uploadOf({ api }: ReturnType<Workspace['user']>, file_name: string): Promise<string> {
  const bytes = Buffer.from('Deleted by mistake.');
  const draft = { file_name, content_type: 'text/plain', size: bytes.length };
  const { upload } = (await api.createUpload({ body: { upload: draft } })).body;
  await fetch(`${upload.url}`, { method: 'PUT', headers: upload.headers ?? {}, body: bytes });
  return upload.id;
}

/** Creates records and deletes them. */
export async function addMistakes(
  workspace: Workspace,
  { by, name }: DemoMistakes,
  now: Date,
): Promise<void> {
  const { api } = workspace.user(by);
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR).toISOString();
  const times = { calendar_id: await calendarOf(workspace, by), starts_at: at(48), ends_at: at(49) };
  const upload_id = await uploadOf(workspace.user(by), `${name}.txt`);
  const { contact } = (await api.createContact({ body: { contact: { name } } })).body;
  await api.deleteContact({ params: { id: contact.id } });
  const { organization } = (await api.createOrganization({ body: { organization: { name } } })).body;
  await api.deleteOrganization({ params: { id: organization.id } });
  const { deal } = (await api.createDeal({ body: { deal: { name } } })).body;
  await api.deleteDeal({ params: { id: deal.id } });
  const { task } = (await api.createTask({ body: { task: { name } } })).body;
  await api.deleteTask({ params: { id: task.id } });
  const { space } = (await api.createSpace({ body: { space: { name, kind: 'records' } } })).body;
  await api.deleteSpace({ params: { id: space.id } });
  const { milestone } = (await api.createMilestone({ body: { milestone: { name } } })).body;
  await api.deleteMilestone({ params: { id: milestone.id } });
  const { file } = (await api.createFile({ body: { file: { upload_id } } })).body;
  await api.deleteFile({ params: { id: file.id } });
  const event = { ...times, name };
  const { calendar_event } = (await api.createCalendarEvent({ body: { calendar_event: event } })).body;
  await api.deleteCalendarEvent({ params: { id: calendar_event.id } });
}
