import type { RecordKind, RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { loadTask, seesLinkAmong } from './policy.ts';
import type { Task } from './task.ts';

/** Those of the users who see a record that the task is about. */
async function seenThroughLinks(table: Table, kinds: RecordKinds, { links }: Task, users: User[]) {
  const seers = await Promise.all(links.map(({ type, id }) => kinds[type]?.seenBy(table, id, users) ?? []));
  return new Set(seers.flat().map(({ user }) => user.id));
}

/** Tasks as records; `kinds` are those of the records that they are about. */
export function taskKind(kinds: RecordKinds): RecordKind {
  return {
    async load(ctx, id) {
      const task = await loadTask(ctx, id, seesLinkAmong(kinds)(ctx));
      if (!task) return undefined;
      const { name, user_id, assigned_user_id } = task;
      const owner_ids = [...new Set(assigned_user_id === null ? [user_id] : [user_id, assigned_user_id])];
      return { type: 'tasks', id, label: { name }, owner_ids, tag_ids: [] };
    },

    async seenBy(table, id, users) {
      const task = await table.get<Task>(keys.record('tasks', id));
      if (!isThere(task)) return [];
      const through =
        task.visibility === 'linked' ? await seenThroughLinks(table, kinds, task, users) : new Set();
      return users.filter((user) => accessOf(task, user, through.has(user.id))).map((user) => ({ user }));
    },
  };
}
