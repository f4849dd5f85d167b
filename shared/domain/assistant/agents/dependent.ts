import { keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import { keys } from '#shared/table/keys.ts';

/** Tags that were chosen for a thread once are not chosen again for the one that it becomes part of. */
export const offeredTagsOfThreads = keptUnder(({ id }) => keys.offeredTag(id, ''));
