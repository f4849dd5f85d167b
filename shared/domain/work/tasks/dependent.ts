import { type Links, linksOf, relinkedRefs } from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import { taskIndex } from './lists.ts';

/** What tasks are about. */
export const linksOfTasks = (kinds: RecordKinds): Links =>
  linksOf(taskIndex(kinds), (task, ended) => ({ ...task, links: relinkedRefs(task.links, ended) }));
