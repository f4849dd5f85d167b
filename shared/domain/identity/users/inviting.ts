import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countInHour } from '#shared/domain/platform/rates/hourly.ts';
import { rateLimited } from '#shared/errors.ts';

/** docs/specification/people.md, "Users". */
const LIMIT = 200;

/** 429 for an account that invites more in an hour: invitations are mail to addresses that nobody has verified. */
export async function limitInviting({ table, caller, now }: CallerContext): Promise<void> {
  const counted = { what: 'INVITATIONS', subject: caller.account.id };
  const wait = await countInHour(table, counted, LIMIT, now);
  if (wait > 0) throw rateLimited(wait, `The limit is ${LIMIT} invitations in an hour for an account.`);
}
