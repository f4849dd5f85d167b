import { asOfNow } from '#shared/context.ts';
import type { OwedEvent } from '#shared/domain/calendar/calendar-events/at-server.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { ResourceChanged, ServerRefused } from '#shared/domain/calendar/servers/server.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { ConditionFailed, when } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { forgetResource, noteResource, type ResourceItem, resourcesAt } from './resources.ts';
import { atServer, type Syncing } from './syncing.ts';
import { takeResource } from './take-resource.ts';
import { noteAsWritten, oursOf, resourceText } from './written-resource.ts';

/**
 * Writes to its server what changed of an event here. The server's version is read first: what changed there is taken over,
 * and what changed here is written over it, part by part (docs/decisions/0071-calendar-servers.md).
 */

/** Each time, somebody else changes the resource between reading and writing. */
const ROUNDS = 3;

interface Writing {
  event: CalendarEvent;
  url: string;
  known: ResourceItem | undefined;
}

/** A deletion wins over a change there. */
async function remove({ ctx, server, login }: Syncing, { event, url }: Writing): Promise<void> {
  const there = await atServer((signal) => server.get(login, url, signal));
  if (there) await atServer((signal) => server.remove(login, there, signal));
  await forgetResource(ctx.table, event.calendar_id, url);
}

const storedEvent = ({ ctx }: Syncing, id: string) =>
  ctx.table.get<CalendarEvent>(keys.record('calendar_events', id));

/** What the server has now, taken over if it is not what was read last. */
async function takeOver(sync: Syncing, { event, url, known }: Writing) {
  const { server, login, ctx } = sync;
  const there = await atServer((signal) => server.get(login, url, signal));
  if (!there || (there.etag !== null && there.etag === known?.etag)) return there;
  await takeResource(ctx, event.calendar_id, there, [event.id]);
  return there;
}

async function put(sync: Syncing, writing: Writing): Promise<void> {
  const { server, login, ctx } = sync;
  const { url, known } = writing;
  const there = await takeOver(sync, writing);
  // Deleted there: the next reading deletes it here.
  if (!there && known) return;
  const event = await storedEvent(sync, writing.event.id);
  if (!isThere(event)) return;
  const ours = await oursOf(ctx, event);
  const text = await resourceText(asOfNow(ctx), ours, there?.text);
  const etag = there ? there.etag : null;
  const written = await atServer((signal) => server.put(login, { url, etag, text, fresh: !there }, signal));
  await noteAsWritten(ctx, ours);
  const { calendar_id } = event;
  const event_ids = known?.event_ids ?? [event.id];
  await noteResource(ctx, calendar_id, {
    url,
    etag: written,
    event_ids,
    failure: known?.failure ?? null,
  });
}

async function writeOnce(sync: Syncing, event: CalendarEvent, url: string): Promise<void> {
  const known = (await resourcesAt(sync.ctx.table, event.calendar_id, [url])).get(url);
  const writing = { event, url, known };
  await (isThere(event) ? put(sync, writing) : remove(sync, writing));
}

async function settleOwed({ ctx }: Syncing, owed: OwedEvent): Promise<void> {
  try {
    await ctx.table.delete(keyOf(owed), when<OwedEvent>({ version: owed.version }));
  } catch (error) {
    // Changed again since: another job writes it.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** It stays owed, and the mailbox shows that, until it is changed again. */
const noteRefused = ({ ctx }: Syncing, owed: OwedEvent) =>
  tryUpdate<OwedEvent>(ctx.table, keyOf(owed), { set: { refused: true }, when: { version: owed.version } });

/** What the server refuses for good stays here. Throws when another try may succeed. */
export async function writeEvent(sync: Syncing, owed: OwedEvent): Promise<void> {
  try {
    for (let round = 1; ; round++) {
      const event = await storedEvent(sync, owed.event_id);
      if (event?.at_server === undefined) break;
      try {
        await writeOnce({ ...sync, ctx: asOfNow(sync.ctx) }, event, event.at_server);
        break;
      } catch (error) {
        if (!(error instanceof ResourceChanged) || round === ROUNDS) throw error;
      }
    }
  } catch (error) {
    if (!(error instanceof ServerRefused)) throw error;
    await noteRefused(sync, owed);
    return;
  }
  await settleOwed(sync, owed);
}
