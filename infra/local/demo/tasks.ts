import type { DemoUserKey } from './people.ts';
import type { Place, Workspace } from './workspace.ts';

export interface DemoTask {
  name: string;
  by: DemoUserKey;
  /** Days from today, at midnight; null without a date. */
  days: number | null;
  assigned?: DemoUserKey;
  /** Minutes before the day. */
  reminders?: readonly number[];
  about?: Place;
  /** The milestone that it leads to. */
  milestone?: string;
  /** The space that it belongs to. */
  space?: string;
  completed?: true;
  shared_with?: DemoUserKey;
}

const DAY = 86_400_000;

/** What people of one account have to do. */
export async function addTasks(workspace: Workspace, tasks: readonly DemoTask[], now: Date): Promise<void> {
  for (const { name, by, days, assigned, about, milestone, space, ...task } of tasks) {
    const { api } = workspace.user(by);
    const record = about && (await workspace.record(by, about));
    const link =
      record?.record_type === 'threads'
        ? { thread_id: record.record_id }
        : { contact_ids: record ? [record.record_id] : [] };
    const due_at = days === null ? null : new Date(now.getTime() + days * DAY).toISOString();
    const assigned_user_id = workspace.user(assigned ?? by).id;
    const goal = milestone && { milestone_id: workspace.milestone(milestone) };
    const place = space && { space_id: workspace.space(space) };
    const { reminders = [], completed, shared_with } = task;
    const all_day = due_at !== null;
    const common = { name, due_at, all_day, assigned_user_id, reminders: [...reminders] };
    const draft = { ...common, ...link, ...goal, ...place };
    const { id } = (await api.createTask({ body: { task: draft } })).body.task;
    if (completed) await api.completeTask({ params: { task_id: id } });
    if (!shared_with) continue;
    const params = { record_type: 'tasks' as const, record_id: id };
    const { id: user_id } = workspace.user(shared_with);
    await api.createShare({ params, body: { share: { user_id } } });
  }
}
