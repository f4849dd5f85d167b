import { mapAtOnce } from '#shared/at-once.ts';
import { asOfNow } from '#shared/context.ts';
import { fromServer } from '#shared/domain/calendar/calendar-events/at-server.ts';
import { deletionOf } from '#shared/domain/calendar/calendar-events/delete.ts';
import { findEvent } from '#shared/domain/calendar/calendar-events/load.ts';
import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import type { Resource, ServerChanges } from '#shared/domain/calendar/servers/server.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead } from '#shared/table/table.ts';
import { allResources, forgetResource, type ResourceItem, resourcesAt } from './resources.ts';
import { atServer, type Reading, type SyncedCalendar } from './syncing.ts';
import { takeResource } from './take-resource.ts';

/**
 * Reads what changed of a calendar at its server. Each resource is noted with its ETag when its events are stored, so an
 * interrupted run continues, and what the service wrote itself is not read again. The token is kept last.
 */

/** Resources that are read together: some hundred kilobytes. */
const BATCH = 50;
const AT_ONCE = 6;

const isKnown = ({ etag }: Resource, known: ResourceItem | undefined) =>
  known !== undefined && etag !== null && known.etag === etag;

/** A deletion wins over a change here; the event rests, and can be restored. */
async function removeEvents(reading: Reading, event_ids: string[]): Promise<void> {
  for (const id of event_ids)
    await retryOnConflict(async () => {
      const ctx = asOfNow(reading.ctx);
      const found = await findEvent(ctx.table, id);
      if (found?.stored) await commit(ctx, fromServer(await deletionOf(ctx, found, 'this')));
    });
}

async function removeResources(
  reading: Reading,
  { id }: SyncedCalendar,
  gone: ResourceItem[],
): Promise<void> {
  const { table, caller } = reading.ctx;
  await mapAtOnce(gone, AT_ONCE, async ({ url, event_ids, failure }) => {
    await removeEvents(reading, event_ids);
    await forgetResource(table, id, url);
    if (failure)
      await table.update<ServerCalendar>(keys.calendar(caller.account.id, id), { add: { unread: -1 } });
  });
}

/** False when the time is up. */
async function takeChanged(
  reading: Reading,
  calendar: SyncedCalendar,
  changed: Resource[],
): Promise<boolean> {
  const { source, ctx } = reading;
  for (let i = 0; i < changed.length; i += BATCH) {
    if (reading.timeIsUp()) return false;
    const batch = changed.slice(i, i + BATCH);
    const urls = batch.map(({ url }) => url);
    const known = await resourcesAt(ctx.table, calendar.id, urls);
    const wanted = batch.filter((each) => !isKnown(each, known.get(each.url))).map(({ url }) => url);
    if (wanted.length === 0) continue;
    const read = await atServer((signal) => source.read(wanted, signal));
    await mapAtOnce(read, AT_ONCE, (each) => takeResource(ctx, calendar.id, each));
  }
  return true;
}

/** Of a calendar that is no longer followed. False when the time is up. */
export async function removeAll(reading: Reading, calendar: SyncedCalendar): Promise<boolean> {
  const all = await allResources(reading.ctx.table, calendar.id);
  for (let i = 0; i < all.length; i += BATCH) {
    if (reading.timeIsUp()) return false;
    await removeResources(reading, calendar, all.slice(i, i + BATCH));
  }
  return true;
}

/** Those that are known here, and that a list of all of them does not name. */
async function notAmong(reading: Reading, { id }: SyncedCalendar, there: ReadonlySet<string>) {
  return (await allResources(reading.ctx.table, id)).filter(({ url }) => !there.has(url));
}

async function goneIn(
  reading: Reading,
  calendar: SyncedCalendar,
  { full, removed }: ServerChanges,
  there: ReadonlySet<string>,
) {
  if (full) return notAmong(reading, calendar, there);
  return [...(await resourcesAt(reading.ctx.table, calendar.id, removed)).values()];
}

/** `more` when the time is up. */
export async function readCalendar(reading: Reading, calendar: SyncedCalendar): Promise<'done' | 'more'> {
  const { source, ctx } = reading;
  const { account } = ctx.caller;
  let token = calendar.sync_token ?? null;
  const there = new Set<string>();
  let full = false;
  for (let more = true; more; ) {
    const from = token;
    const changes = await atServer((signal) => source.changes(from, signal));
    full ||= changes.full;
    for (const { url } of changes.changed) there.add(url);
    if (!(await takeChanged(reading, calendar, changes.changed))) return 'more';
    ({ more } = changes);
    const gone = await goneIn(reading, calendar, { ...changes, full: full && !more }, there);
    await removeResources(reading, calendar, gone);
    ({ token } = changes);
  }
  await ctx.table.update<ServerCalendar>(keys.calendar(account.id, calendar.id), {
    set: { sync_token: token, synced_at: asOfNow(ctx).now.toISOString() },
    when: { sync_token: asRead(calendar.sync_token) },
  });
  return 'done';
}
