import {
  type Linked,
  type Links,
  linksOf,
  placeOf,
  relinkedRefs,
} from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import { linkedAgain } from '#shared/domain/collaboration/records/link-fields.ts';
import { linking } from './links.ts';
import { taskIndex } from './lists.ts';
import type { Task } from './task.ts';

export const linkedTasks = (kinds: RecordKinds): Linked<Task> => ({
  index: taskIndex(kinds),
  targets: ({ links }) => links,
  relinked: (task, ended) => ({ ...task, links: relinkedRefs(task.links, ended) }),
  linkOf: ({ links }, to) => placeOf(links, to),
  withLink(task, to, place) {
    const links = linkedAgain(linking, task.links, to, place as number);
    return links === task.links ? task : { ...task, links };
  },
});

/** What tasks are about. */
export const linksOfTasks = (kinds: RecordKinds): Links => linksOf(linkedTasks(kinds));
