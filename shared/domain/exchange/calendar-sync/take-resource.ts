import { asOfNow } from '#shared/context.ts';
import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import type { ReadResource } from '#shared/domain/calendar/servers/server.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isOutage } from '#shared/table/failures.ts';
import { keys } from '#shared/table/keys.ts';
import { cameBack } from './came-back.ts';
import { type Applied, applyResource } from './read-resource.ts';
import { noteResource, type ResourceItem, resourcesAt } from './resources.ts';
import type { SyncPorts } from './syncing.ts';

/** Takes over a version of a resource, and notes it. */

type Ctx = CallerContext<SyncPorts>;

/** Runs that an error which nothing explains ends, before it is the result of its event: a deployment ends one as well. */
const TRIES = 2;

async function apply(
  ctx: Ctx,
  calendar_id: string,
  read: ReadResource,
  earlier: ResourceItem | undefined,
): Promise<Applied> {
  const patient = (earlier?.tries ?? 0) < TRIES;
  const applied = await applyResource(ctx, calendar_id, read, patient);
  const unknown = (earlier?.event_ids ?? []).length === 0;
  if (!unknown || !(await cameBack(ctx, calendar_id, read, applied))) return applied;
  return applyResource(asOfNow(ctx), calendar_id, read, patient);
}

/** The mailbox shows how many cannot be read. */
async function count(ctx: Ctx, calendar_id: string, { failure }: Applied, earlier: ResourceItem | undefined) {
  const more = Number(failure !== null) - Number((earlier?.failure ?? null) !== null);
  if (more === 0 && !failure) return;
  await ctx.table.update<ServerCalendar>(keys.calendar(ctx.caller.account.id, calendar_id), {
    add: { unread: more },
    ...(failure ? { set: { unread_because: failure.message } } : {}),
  });
}

/** `otherwise` are its events when nothing of it can be read, and it was not known. */
export async function takeResource(
  running: Ctx,
  calendar_id: string,
  read: ReadResource,
  otherwise: string[] = [],
): Promise<void> {
  const ctx = asOfNow(running);
  const { url, etag } = read;
  const earlier = (await resourcesAt(ctx.table, calendar_id, [url])).get(url);
  const known = earlier?.event_ids ?? otherwise;
  let applied: Applied;
  try {
    applied = await apply(ctx, calendar_id, read, earlier);
  } catch (error) {
    const tried = { url, etag: null, event_ids: known, failure: earlier?.failure ?? null };
    if (!isOutage(error))
      await noteResource(ctx, calendar_id, { ...tried, tries: (earlier?.tries ?? 0) + 1 });
    throw error;
  }
  const { event_ids, failure } = applied;
  await count(ctx, calendar_id, applied, earlier);
  await noteResource(ctx, calendar_id, {
    ...{ url, etag, failure },
    event_ids: event_ids.length > 0 || !failure ? event_ids : known,
  });
}
