import { activityTypes } from '#shared/domain/collaboration/activity/activity.ts';
import { type EntryType, entryTypes, type TimelineRecord } from './entry.ts';
import type { Moment } from './moment.ts';
import { readPage } from './page.ts';
import { type Scope, scopeOf, type Whose } from './scope.ts';
import type { Range, Source, TimelineContext } from './source.ts';
import { Activities } from './sources/activities.ts';
import { eventsOf } from './sources/events.ts';
import { hiddenEventsOf, hiddenThreadsOf, type Telling, tellingMailboxes } from './sources/hidden.ts';
import { threadsOf } from './sources/threads.ts';

/** A page of a timeline: what happened, mail and meetings, merged by their moments. */

interface Asked {
  whose: Whose;
  /** All when undefined. */
  types: readonly EntryType[] | undefined;
  before: Moment | undefined;
  limit: number;
}

type Types = ReadonlySet<EntryType>;

const NOBODY: Telling = new Map();

const hasPeople = ({ contact_id, organization_id }: Whose) =>
  contact_id !== undefined || organization_id !== undefined;

async function hiddenSources(
  ctx: TimelineContext,
  people: Scope['people'],
  telling: Telling,
  range: Range,
): Promise<Source[]> {
  if (!people || telling.size === 0) return [];
  const { addresses, invited } = people;
  return [
    ...(addresses.length > 0 ? [(await hiddenThreadsOf(ctx, { addresses, telling }, range)) as Source] : []),
    hiddenEventsOf(ctx, { ...invited, telling }, range) as Source,
  ];
}

async function sourcesOf(
  ctx: TimelineContext,
  { activities, mail, people }: Scope,
  telling: Telling,
  { types, range }: { types: Types; range: Range },
): Promise<Source[]> {
  return [
    ...(activityTypes.some((type) => types.has(type))
      ? [new Activities(ctx, activities, range, types) as Source]
      : []),
    ...(mail && types.has('thread') ? [threadsOf(ctx, mail.threads, range) as Source] : []),
    ...(mail && types.has('calendar_event') ? [eventsOf(ctx, mail.events, range) as Source] : []),
    ...(await hiddenSources(ctx, people, telling, range)),
  ];
}

/** After every moment that a request or a mail can name. */
const LAST = 253_402_300_799_999;

export async function readTimeline(
  ctx: TimelineContext,
  { whose, types: sent, before, limit }: Asked,
): Promise<TimelineRecord> {
  const types: Types = new Set(sent ?? entryTypes);
  const asksHidden = types.has('hidden_interaction') && hasPeople(whose);
  const [scope, telling] = await Promise.all([
    scopeOf(ctx, whose),
    asksHidden ? tellingMailboxes(ctx) : NOBODY,
  ]);
  const range = { upto: before?.at ?? LAST, wanted: limit + 1 };
  return readPage(await sourcesOf(ctx, scope, telling, { types, range }), { before, limit });
}
