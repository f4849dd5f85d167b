import type { User } from './user.ts';

/** A moment as mail tells it: by the clock of its reader. `at` is ISO 8601. */
export const momentFor = ({ time_zone: timeZone }: Pick<User, 'time_zone'>, at: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(at));
