import { keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import { keys } from '#shared/table/keys.ts';

/** What was chosen for a thread is not chosen again after the thread is merged into another. */
export const offersOfThreads = keptUnder(({ id }) => keys.offers(id));
