import { visibility } from '#shared/composition/visibility.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { taskIndex } from '#shared/domain/work/tasks/lists.ts';
import type { Task } from '#shared/domain/work/tasks/task.ts';
import { type Asked, by, few, half, noFilter, plainly, words } from './asking.ts';
import type { Place } from './cases.ts';
import { type Copied, storedRecord } from './copies.ts';
import type { Family } from './families.ts';
import { among } from './world.ts';

/** Tasks of the world, and what is asked of their lists. */

const SHARE = 0.5;
const DAY = 86_400_000;

/** What is asked for; each has 1 % of all tasks and files. */
export const asked = {
  contact_id: ({ world }: Place) => world.contact_id,
  organization_id: ({ world }: Place) => world.around?.employers[0],
  deal_id: ({ deal_id }: Place) => deal_id,
  space_id: ({ world }: Place) => world.around?.spaces[0],
  calendar_event_id: ({ world }: Place) => world.around?.calendar_event_id,
};

const typeOf = (field: string) => `${field.slice(0, -'_id'.length)}s` as RecordRef['type'];

/** Every record is about a contact, and 1 % about each that is asked for. */
export function linksOf(
  number: number,
  { rows, place }: { rows: number; place: Place },
  ids: Record<string, (place: Place) => string | undefined>,
): RecordRef[] {
  const { around, others } = place.world;
  if (!around) return [];
  const named = Object.entries(ids).flatMap(([field, idIn], i) => {
    const id = idIn(place);
    return id !== undefined && among(number + i, rows, 0.01) ? [{ type: typeOf(field), id }] : [];
  });
  return [...named, { type: 'contacts', id: others[number % others.length] as string }];
}

const askedOfTasks = { ...asked, milestone_id: ({ world }: Place) => world.around?.milestone_id };

const copied: Copied<Task> = {
  share: SHARE,
  index: taskIndex(visibility.records),
  tagged: false,
  async model({ api }, table) {
    const { task } = (await api.createTask({ body: { task: { name: 'Model', visibility: 'account' } } }))
      .body;
    return storedRecord(table, 'tasks', task.id);
  },
  /** From years ago to years ahead, a tenth without a date, a tenth done, a third assigned. */
  own(number, amid) {
    const { rows, place } = amid;
    const { now, user_id } = place.world;
    const due = new Date(now + ((number - rows / 2) * DAY) / 25);
    return {
      links: linksOf(number, amid, askedOfTasks),
      external_id: `task-${number}`,
      assigned_user_id: among(number, rows, 0.3) ? user_id : null,
      ...(among(number, rows, 0.1) ? { completed_at: new Date(now).toISOString() } : {}),
      ...(number % 10 === 3 ? {} : { due_at: due.toISOString() }),
    };
  },
};

const due: Asked[] = ['due_before', 'due_after'].map((name) => [
  `${name}, half`,
  ({ world }) => ({ [name]: new Date(world.now).toISOString() }),
]);

export const tasks: Family = {
  name: 'tasks',
  share: SHARE,
  copied: copied as never,
  list: ({ api }, query) => api.listTasks({ query: { limit: 50, ...query } as never }),
  pages: [
    noFilter,
    ...plainly(
      ...[
        'open',
        'today',
        'overdue',
        'upcoming',
        'unscheduled',
        'completed',
        'assigned',
        'created',
        'shared',
      ].map((slice) => ({ slice })),
      { completed: false },
    ),
    by('assigned_user_id', ({ world }) => world.user_id),
    ...Object.entries(askedOfTasks).map(([name, idIn]) => by(name, idIn)),
    by('external_id', ({ world }) => `task-${Math.round(world.rows * SHARE) - 1}`),
    ...due,
    ...half,
    ...few,
    ...words,
  ],
  hard: [],
  depths: [500, 5_000],
};
