import { queues, schedules } from '#shared/queues/queues.ts';
import { assistant } from './assistant.ts';
import { bucket } from './bucket.ts';
import type { Kind, Kinds } from './kind.ts';
import { queue } from './queue.ts';
import { table } from './table.ts';

/** All kinds of things that operations and workers may touch, by the name that their `uses` say. */
export const kinds = {
  // A line for each kind.
  table,
  bucket,
  queue,
  assistant,
} satisfies Kinds;

type Named<Name extends string, Of extends Kind> = Of extends {
  modes: readonly (infer Mode extends string)[];
}
  ? `${Name}:${Mode}`
  : Name;

/** What can be used of these kinds. */
export type UseOf<Known extends Kinds> = {
  [Name in keyof Known & string]: Named<Name, Known[Name]>;
}[keyof Known & string];

/** What an operation or a worker may touch. */
export type Use = UseOf<typeof kinds>;

/** The background work by the names of its workers. What one uses there is no name of does not compile. */
export const workers = { ...queues, ...schedules } satisfies Record<string, { uses: readonly Use[] }>;
