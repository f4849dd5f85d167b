import { parse } from 'csv-parse/sync';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { eventIndex } from '#shared/domain/calendar/calendar-events/lists.ts';
import { newEventId } from '#shared/domain/calendar/calendar-events/occurrence-id.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import { callerOf } from './callers.ts';
import { givenCalendar, givenEvent } from './events.ts';
import { listedItems } from './listed.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Few records that fill a large file, because each has the longest text that requests may send. */

const LONGEST = 20_000;
/** Three bytes in UTF-8. */
const WIDE = '長';

/** Of the record of this number; shorter by what HTML adds to it. */
const textOf = (i: number) => `${i} `.padEnd(LONGEST - 10, WIDE);
const BYTES = Buffer.byteLength(textOf(1_000));

/** Records in a write: a hundred are 6 MB. */
const CHUNK = 100;

async function write(
  { table }: Workspace,
  count: number,
  itemsOf: (i: number) => Promise<AnyItem[]>,
): Promise<number> {
  for (let from = 0; from < count; from += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, count - from) }, (_, i) => from + i);
    const items = (await Promise.all(numbers.map(itemsOf))).flat();
    await table.writeMany(items.map((put) => ({ put })));
  }
  return count;
}

/** As many as fill a file of this size. The account has no others. */
export async function givenLargeContacts(
  workspace: Workspace,
  { user }: TestUser,
  size: number,
): Promise<number> {
  const { table, ctx } = workspace;
  const caller = await callerOf(table, user);
  const begun = ctx.now.getTime();
  return write(workspace, Math.ceil(size / BYTES), (i) => {
    const draft = { name: `Large ${i}`, description: textOf(i) };
    return listedItems(table, contactIndex, newContact(caller, draft, new Date(begun + i)));
  });
}

/** The same in a calendar of their own. A file has the text of an event twice: plain, and as HTML. */
export async function givenLargeEvents(workspace: Workspace, user: TestUser, size: number) {
  const { table } = workspace;
  const { calendar_id } = await givenCalendar(workspace, user);
  const first = await givenEvent(user, calendar_id);
  const like = (await table.get<CalendarEvent>(keys.record('calendar_events', first.id))) as CalendarEvent;
  const later = (moment: string, i: number) => new Date(Date.parse(moment) + (i + 1) * 60_000).toISOString();
  const count = await write(workspace, Math.ceil(size / (2 * BYTES)), (i) => {
    const { id, handle } = newEventId();
    const times = { starts_at: later(like.starts_at, i), ends_at: later(like.ends_at, i) };
    const event = { ...like, ...keys.record('calendar_events', id), id, handle, ical_uid: id };
    return listedItems(table, eventIndex, { ...event, ...times, description_html: `<p>${textOf(i)}</p>` });
  });
  return { calendar_id, count };
}

/** The contents of properties in a file whose lines are folded (RFC 5545, 3.1). */
const valuesOf = (name: string, file: string) =>
  [...file.replaceAll('\r\n ', '').matchAll(new RegExp(`^${name}:(.*)\r$`, 'gm'))].map(
    ([, value]) => value ?? '',
  );

const cellsOf = (name: string, file: string) =>
  parse<Record<string, string>>(file, { bom: true, columns: true }).map((row) => row[name] ?? '');

/** The numbers of the records that the file has as they were given, in its order; undefined for one that differs. */
export function recordsIn(format: string, file: string): (number | undefined)[] {
  const texts = format === 'csv' ? cellsOf('description', file) : valuesOf('DESCRIPTION', file);
  return texts.map((text) => {
    const number = Number.parseInt(text, 10);
    return text === textOf(number) ? number : undefined;
  });
}
