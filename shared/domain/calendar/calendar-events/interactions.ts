import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { seesDetails } from './access.ts';
import type { CalendarEvent } from './event.ts';
import { inviting } from './filters.ts';
import { EventList } from './find.ts';
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
    // Copies begin at the same time, and one of them may be over.
    const list = new EventList(ctx, windowOf(window, ctx, now), [{ ...invites, keeps }], { copies: true });
    return (await list.first(2)).find(fits)?.starts_at ?? null;
  };
  const [begun, next] = await Promise.all([
    first({ slice: 'past' }, () => true),
    first({ slice: 'upcoming' }, ({ starts_at }) => Date.parse(starts_at) > now),
  ]);
  return { last: begun, next };
}
