import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { addressHolders } from './addresses.ts';
import type { EmployersAhead } from './employers-ahead.ts';
import { employersOfSeen } from './met.ts';

/** With whom the caller had mail or meetings since a moment, in milliseconds, as far as the caller sees these. */

type Ctx = CallerContext<KnowsInteractions>;

/** Hidden contacts too: whoever lists them checks each. */
export async function contactsSince(ctx: Ctx, since: number, employers?: EmployersAhead): Promise<string[]> {
  const { ids, shown } = await addressHolders.showing(ctx, await ctx.ports.addressesSince(ctx, since));
  employers?.expect(shown);
  return ids;
}

/** The organizations of those that the caller sees. */
export const employersSince = async (ctx: Ctx, since: number): Promise<string[]> =>
  employersOfSeen(ctx, await contactsSince(ctx, since));
