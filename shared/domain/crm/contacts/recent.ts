import { begun } from '#shared/begun.ts';
import type { Others } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { Held } from '#shared/domain/collaboration/records/holders.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { expectUsual, type SpacesAhead } from '#shared/domain/crm/details/spaces-ahead.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { addressHolders } from './addresses.ts';
import type { EmployersAhead } from './employers-ahead.ts';
import { employersOfSeen } from './met.ts';

/** With whom the caller had mail or meetings since a moment, in milliseconds, as far as the caller sees these. */

type Ctx = CallerContext<KnowsInteractions>;

/** What these records show, where it is read ahead. */
interface Shown {
  employers?: EmployersAhead;
  spaces?: SpacesAhead;
}

async function heldSince(ctx: Ctx, since: number, { spaces }: Shown): Promise<ReadonlyMap<string, Held>> {
  if (spaces) expectUsual(ctx, spaces);
  return addressHolders.showing(ctx, await ctx.ports.addressesSince(ctx, since));
}

/** Hidden contacts too: whoever lists them checks each. */
export async function contactsSince(ctx: Ctx, since: number, shown: Shown = {}): Promise<Others> {
  const held = await heldSince(ctx, since, shown);
  return {
    ids: [...held.keys()],
    names: new Map([...held].map(([id, { name }]) => [id, name])),
    expect: (ids) => shown.employers?.expect(ids.flatMap((id) => held.get(id)?.shows ?? [])),
  };
}

/** The organizations of those that the caller sees: what is known of them before they are read, and what is sure. */
export async function employersSince(ctx: Ctx, since: number, shown: Shown = {}): Promise<Others> {
  const held = await heldSince(ctx, since, shown);
  return {
    ids: [...new Set([...held.values()].flatMap(({ shows }) => shows))],
    sure: begun(employersOfSeen(ctx, [...held.keys()])),
  };
}
