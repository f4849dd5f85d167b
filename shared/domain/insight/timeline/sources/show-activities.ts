import type { Activity, ActivityDetail } from '#shared/domain/collaboration/activity/activity.ts';
import type { CommentPointer } from '#shared/domain/collaboration/comments/comment.ts';
import type { RecordRef, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { shownTag, type TagDictionary, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { summaryOf } from '#shared/domain/crm/deals/deal.ts';
import { type Places, placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { listPipelines } from '#shared/domain/crm/pipelines/store.ts';
import { keys } from '#shared/table/keys.ts';
import { refOf, type Shown } from '../entry.ts';
import type { TimelineContext } from '../source.ts';

/** Activities as the caller sees them now: of records that the caller sees, with the names of today. */

const nameOf = ({ type, id }: RecordRef) => `${type} ${id}`;

/** By the id of the comment: where it is. Comments move with their threads, and end. */
async function commentPlaces(
  { table }: TimelineContext,
  activities: Activity[],
): Promise<Map<string, RecordRef>> {
  const ids = activities.flatMap(({ detail }) => detail.comment_id ?? []);
  const found = await table.getMany<CommentPointer>(ids.map(keys.commentPointer));
  const byKey = new Map(found.map((pointer) => [pointer.PK, pointer]));
  return new Map(
    ids.flatMap((id) => {
      const pointer = byKey.get(keys.commentPointer(id).PK);
      return pointer ? [[id, { type: pointer.record_type, id: pointer.record_id }] as const] : [];
    }),
  );
}

/** A merged contact leads to another one. */
async function survivorsOf({ table }: TimelineContext, refs: RecordRef[]): Promise<Map<string, RecordRef>> {
  const contacts = refs.filter(({ type }) => type === 'contacts');
  const ends = new Map<string, RecordRef>();
  let open = contacts.map((from) => ({ from, id: from.id }));
  while (open.length > 0) {
    const read = await table.getMany<RecordItem>(
      [...new Set(open.map(({ id }) => id))].map((id) => keys.record('contacts', id)),
    );
    const next = new Map(read.map((contact) => [contact.PK, contact.merged_into]));
    open = open.flatMap(({ from, id }) => {
      const into = next.get(keys.record('contacts', id).PK);
      if (into === undefined) return [];
      ends.set(nameOf(from), { type: 'contacts', id: into });
      return [{ from, id: into }];
    });
  }
  return ends;
}

async function visibleAmong(
  ctx: TimelineContext,
  refs: RecordRef[],
): Promise<(ref: RecordRef) => VisibleRecord | undefined> {
  const linked = new LinkedRecords(ctx);
  const unique = [...new Map(refs.map((ref) => [nameOf(ref), ref])).values()];
  const find = async (some: [string, RecordRef][]) =>
    Promise.all(some.map(async ([name, ref]) => [name, await linked.find(ref)] as const));
  const found = new Map(await find(unique.map((ref) => [nameOf(ref), ref])));
  const survivors = await survivorsOf(
    ctx,
    unique.filter((ref) => !found.get(nameOf(ref))),
  );
  for (const [name, record] of await find([...survivors])) found.set(name, record);
  return (ref) => found.get(nameOf(ref));
}

interface Names {
  tags: TagDictionary;
  places: Places;
}

async function namesFor(ctx: TimelineContext, activities: Activity[]): Promise<Names> {
  const [tags, places] = await Promise.all([
    activities.some(({ detail }) => detail.tag_id) ? tagDictionary(ctx.table, ctx.caller.account.id) : null,
    activities.some(({ detail }) => detail.to_stage_id) ? listPipelines(ctx) : null,
  ]);
  return { tags: tags ?? new Map(), places: places ? placesIn(places) : new Map() };
}

/** Undefined for what is not shown any more. */
function presentDetail(
  { tag_id, from_stage_id, to_stage_id, ...rest }: ActivityDetail,
  { tags, places }: Names,
): Record<string, unknown> | undefined {
  const stage = (id: string | undefined) => {
    const place = id === undefined ? undefined : places.get(id);
    return place ? summaryOf(place) : null;
  };
  if (tag_id !== undefined) {
    const tag = shownTag(tags, tag_id);
    return tag && { tag: { id: tag.id, name: tag.name, color: tag.color ?? null } };
  }
  if (to_stage_id === undefined) return { ...rest };
  return { from_stage: stage(from_stage_id), to_stage: stage(to_stage_id) };
}

export async function showActivities(
  ctx: TimelineContext,
  activities: Activity[],
): Promise<ReadonlyMap<string, Shown>> {
  const [comments, names] = await Promise.all([commentPlaces(ctx, activities), namesFor(ctx, activities)]);
  const placed = activities.flatMap((activity) => {
    const { record_type: type, record_id: id, detail } = activity;
    const ref = detail.comment_id === undefined ? { type, id } : comments.get(detail.comment_id);
    return ref ? [{ activity, ref }] : [];
  });
  const visible = await visibleAmong(
    ctx,
    placed.map(({ ref }) => ref),
  );
  return new Map(
    placed.flatMap(({ activity: { id, type, user_id, agent, detail }, ref }) => {
      const record = visible(ref);
      const shown = presentDetail(detail, names);
      if (!record || !shown) return [];
      return [[id, { id, type, user_id, agent, ref: refOf(record), detail: shown, count: 1 }] as const];
    }),
  );
}
