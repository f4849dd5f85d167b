import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { seesDetails } from './access.ts';
import type { CalendarEvent } from './event.ts';
import { inviting } from './filters.ts';
import { EventList } from './find.ts';
import { addressesOf } from './lists.ts';
import { windowOf } from './window.ts';

/** When the caller last met people, and when they meet next, by the addresses that are invited. */
export async function meetingsWith(
  ctx: CallerContext,
  addresses: string[],
): Promise<{ last: string | null; next: string | null }> {
  if (addresses.length === 0) return { last: null, next: null };
  const invites = inviting(addresses);
  const keeps = (event: CalendarEvent) => seesDetails(ctx.caller.user, event) && invites.keeps(event);
  const now = ctx.now.getTime();
  const first = async (window: Parameters<typeof windowOf>[0], fits: (event: CalendarEvent) => boolean) => {
    const list = new EventList(ctx, windowOf(window, ctx, now), [{ ...invites, keeps }]);
    return (await list.first(2)).find(fits)?.starts_at ?? null;
  };
  const [begun, next] = await Promise.all([
    first({ slice: 'past' }, () => true),
    first({ slice: 'upcoming' }, ({ starts_at }) => Date.parse(starts_at) > now),
  ]);
  return { last: begun, next };
}

/** Meetings that are read for one response. */
const MOST = 2_000;

/** Who was invited to the meetings that began after this moment, in milliseconds, and are over. */
export async function invitedSince(ctx: CallerContext, since: number): Promise<string[]> {
  const window = windowOf({ slice: 'past', starts_after: since }, ctx, ctx.now.getTime());
  const begun = (event: CalendarEvent) =>
    seesDetails(ctx.caller.user, event) && Date.parse(event.starts_at) > since;
  const met = await new EventList(ctx, window, []).all(MOST);
  return [...new Set(met.filter(begun).flatMap(addressesOf))];
}
