import { createRecords, type Records } from './records.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** What the whole account sees; a colleague does not see any other record of `createRecords` once it is private. */
export const ofTheAccount = ['accounts', 'custom_fields', 'groups', 'pipelines', 'stages', 'tags', 'users'];

/** A record of every type, each private where it can be. */
export async function privateRecords(workspace: Workspace, owner: TestUser): Promise<Records> {
  const { api } = owner;
  const records = await createRecords(workspace, owner);
  const hidden = { visibility: 'private' as const };
  const params = (type: string) => ({ params: { id: records[type] as string } });
  await Promise.all([
    api.updateContact({ ...params('contacts'), body: { contact: hidden } }),
    api.updateDeal({ ...params('deals'), body: { deal: hidden } }),
    api.updateFile({ ...params('files'), body: { file: hidden } }),
    api.updateMilestone({ ...params('milestones'), body: { milestone: hidden } }),
    api.updateOrganization({ ...params('organizations'), body: { organization: hidden } }),
    api.updateSpace({ ...params('spaces'), body: { space: hidden } }),
    api.updateTask({ ...params('tasks'), body: { task: hidden } }),
  ]);
  return records;
}
