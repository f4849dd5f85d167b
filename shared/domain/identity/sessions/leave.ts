import type { Ends } from '#shared/domain/identity/users/leaving.ts';
import { endSessions } from './end.ts';

/** Ends the sessions of a user who left, which are refused already. */
export const endSessionsOfUser: Ends = async ({ table, clock }, from) => {
  await endSessions(table, from, clock());
  return true;
};
