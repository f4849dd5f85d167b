import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

export interface DemoMilestone {
  name: string;
  by: DemoUserKey;
  /** Days from today; null without a day. */
  days: number | null;
  organization_name?: string;
  status?: 'reached';
  shared_with?: DemoUserKey;
}

const DAY = 86_400_000;

/** What people of one account work towards. Before the tasks, which name them. */
export async function addMilestones(
  workspace: Workspace,
  milestones: readonly DemoMilestone[],
  now: Date,
): Promise<void> {
  for (const { name, by, days, organization_name, status, shared_with } of milestones) {
    const { api } = workspace.user(by);
    const due_on = days === null ? null : new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);
    const parent = organization_name && { organization_id: workspace.organization(organization_name) };
    const draft = { name, due_on, status, ...(shared_with ? { visibility: 'private' as const } : {}) };
    const { id } = (await api.createMilestone({ body: { milestone: { ...draft, ...parent } } })).body
      .milestone;
    workspace.milestones.set(name, id);
    if (!shared_with) continue;
    const params = { record_type: 'milestones' as const, record_id: id };
    const { id: user_id } = workspace.user(shared_with);
    await api.createShare({ params, body: { share: { user_id } } });
  }
}
