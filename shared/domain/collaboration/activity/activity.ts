import { keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { actorOf, type CallerContext } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';

/**
 * What happened to records, for timelines (docs/decisions/0080). It is written in the transaction of the change, once for
 * each timeline that has it: that of the record, of records that it is linked to, of the account, and of who did it.
 */

export const activityTypes = [
  'comment',
  'task_created',
  'task_completed',
  'deal_created',
  'deal_stage_moved',
  'deal_won',
  'deal_lost',
  'file_added',
  'tag_applied',
  'tag_removed',
  'record_created',
  'record_updated',
  'record_merged',
] as const;

export type ActivityType = (typeof activityTypes)[number];

/** What a reader is told more of, as ids and names of fields: names are those of the moment of reading. */
export interface ActivityDetail {
  comment_id?: string;
  tag_id?: string;
  from_stage_id?: string;
  to_stage_id?: string;
  /** Of the record that became part of this one. */
  merged_id?: string;
  fields?: string[];
}

export interface Happened {
  type: ActivityType;
  detail?: ActivityDetail;
  /** When another time than the change. */
  at?: string;
  /** The slug of an agent that did it in nobody's name. */
  agent?: string;
}

/** `record_type` and `record_id` are what it happened to. */
export type Activity = Item & {
  id: string;
  account_id: string;
  type: ActivityType;
  record_type: RecordType;
  record_id: string;
  /** Milliseconds. */
  moment: number;
  user_id: string | null;
  agent: string | null;
  detail: ActivityDetail;
};

/** Record types with a timeline of their own. */
const withTimeline: ReadonlySet<RecordType> = new Set(['contacts', 'organizations', 'deals', 'spaces']);

type Acting = Pick<CallerContext, 'now'> & Partial<Pick<CallerContext, 'caller' | 'by_agent'>>;

interface About {
  account_id: string;
  record: RecordRef;
  /** Other records whose timelines have it. */
  linked?: RecordRef[];
}

function placesOf(
  id: string,
  moment: number,
  { account_id, record, linked = [] }: About,
  user_id: string | null,
) {
  const own = withTimeline.has(record.type) ? [keys.activity(record.type, record.id, moment, id)] : [];
  const others = linked.filter(({ type }) => withTimeline.has(type));
  return [
    ...own,
    keys.activityOf(account_id, moment, id),
    ...(user_id === null ? [] : [keys.activityOf(user_id, moment, id)]),
    // Merged records may have had the same: each keeps its own (life/dependent.ts).
    ...others.map((ref) => keys.activity(ref.type, ref.id, moment, `${id}#${ref.id}`)),
  ];
}

/** The record's own timeline first, those of linked records last. */
export function activityWrites(ctx: Acting, about: About, happened: Happened[]): Write[] {
  return happened.flatMap(({ type, detail = {}, at, agent }) => {
    const moment = at === undefined ? ctx.now.getTime() : Date.parse(at);
    const id = newId(new Date(moment));
    const user_id = agent === undefined ? actorOf(ctx) : null;
    const activity = {
      ...{ id, account_id: about.account_id, type, moment, user_id, detail },
      agent: agent ?? ctx.by_agent ?? null,
      record_type: about.record.type,
      record_id: about.record.id,
    };
    return placesOf(id, moment, about, user_id).map((key): Write => ({ put: { ...key, ...activity } }));
  });
}

/** A merged record has the timelines of both. */
export const activityOfRecords = keptUnder(({ type, id }) => keys.activities(type, id));
