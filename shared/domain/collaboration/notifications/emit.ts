import type { Context } from '#shared/context.ts';
import type { Seer, SeesRecords, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { commonLabel, whoSees } from '#shared/domain/collaboration/records/registry.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { type Job, unsentJob } from '#shared/domain/platform/jobs/job.ts';
import type { NotificationEvent } from './event.ts';
import { type NotificationDraft, newNotification, notify } from './notification.ts';
import { isAnySent, sendingJobs } from './sending/job.ts';

/** All notifications about records are created here, in the transaction of their event. */

type About =
  | { comment: object }
  | { share: object }
  | { from_stage: object; to_stage: object }
  | { reminder: object }
  | { email_address: string };

export interface Occurrence {
  account_id: string;
  record: Pick<VisibleRecord, 'type' | 'id' | 'label'>;
  /** The comment, share, move or reminder that it is about, or the address of a mailbox. */
  about?: About | Promise<About>;
  /** The user who acted, who is not notified; null for the service or an agent. */
  actor_id: string | null;
  /** The most important first. A user in several audiences gets the first notification only. */
  told: Audience[];
}

export interface Audience {
  event: NotificationEvent;
  user_ids: string[];
  /** Among the users who see the record. */
  at_most?: number;
}

/** One user to notify. */
export interface Notice {
  user_id: string;
  event: NotificationEvent;
}

/** The content of a delivery job. */
export interface Delivery {
  account_id: string;
  record: Pick<VisibleRecord, 'type' | 'id'>;
  /** The payload for all recipients; personal labels are added at delivery. */
  payload: NotificationDraft['payload'];
  prompting_user_id: string | null;
  notices: Notice[];
}

/** The job, with the number of notices it delivered. */
export type DeliveryJob = Job & { delivery: Delivery; delivered: number };

/** Each takes about 90 bytes of the job's item, which may have 400 KB. */
const NOTICES_PER_JOB = 2_000;

export function draftOf(
  notice: Notice,
  { payload, prompting_user_id }: Pick<Delivery, 'payload' | 'prompting_user_id'>,
  label: Seer['label'],
): NotificationDraft {
  return { ...notice, payload: { ...payload, ...label }, prompting_user_id };
}

/** The record as it is now: later changes do not alter the notification. */
function payloadOf(
  ctx: Context<SeesRecords>,
  { record }: Occurrence,
  about: About | undefined,
): NotificationDraft['payload'] {
  return { id: record.id, record_type: singular(record.type), ...commonLabel(ctx, record), ...about };
}

/**
 * The users to notify, in order: `sure` are known to see the record; for `open` that is checked at delivery. Checks no
 * more users than there is room for, except in audiences with a maximum.
 */
async function choose(ctx: Context<SeesRecords>, occurrence: Occurrence, room: number) {
  const { account_id, record, told, actor_id } = occurrence;
  const looked_at = new Set(
    told.flatMap(({ user_ids, at_most }) => (at_most === undefined ? user_ids.slice(0, room) : user_ids)),
  );
  if (actor_id !== null) looked_at.delete(actor_id);
  const users = await findActiveUsers(ctx.table, account_id, [...looked_at]);
  const seeing = await whoSees(ctx, record, users);
  const seers = new Map(seeing.map(({ user, label }) => [user.id, label]));
  const chosen = new Map<string, Notice>();
  for (const { event, user_ids, at_most } of told) {
    const due = [...new Set(user_ids)].filter(
      (id) => id !== actor_id && !chosen.has(id) && (seers.has(id) || !looked_at.has(id)),
    );
    for (const user_id of due.slice(0, at_most)) chosen.set(user_id, { user_id, event });
  }
  const [sure, open]: [Notice[], Notice[]] = [[], []];
  for (const notice of chosen.values()) (seers.has(notice.user_id) ? sure : open).push(notice);
  return { sure, open, labels: seers, users: seeing.map(({ user }) => user) };
}

/** The number of notifications to write at once, with room for the jobs of the others. */
function seatsBeside(jobs: number, sure: number, room: number): number {
  return Math.max(0, Math.min(sure, room - jobs));
}

/**
 * The change for an event, at most `room` items, of which there must be two: the notifications that fit, a job that sends
 * them when somebody wants that, and a job that delivers the others, which the sweep sends within a minute; more of
 * these above 2,000 notices.
 */
export async function notificationsOf(
  ctx: Context<SeesRecords>,
  occurrence: Occurrence,
  room: number,
): Promise<Change> {
  const [{ sure, open, labels, users }, about] = await Promise.all([
    choose(ctx, occurrence, room),
    occurrence.about,
  ]);
  const all = [...sure, ...open];
  const free = isAnySent(sure, users) ? room - 1 : room;
  let parts = 0;
  while (parts < free && all.length - seatsBeside(parts, sure.length, free) > parts * NOTICES_PER_JOB)
    parts++;
  const seats = seatsBeside(parts, sure.length, free);
  const { account_id, record, actor_id: prompting_user_id } = occurrence;
  const payload = payloadOf(ctx, occurrence, about);
  const common = { account_id, record: { type: record.type, id: record.id }, payload, prompting_user_id };
  const jobs = Array.from({ length: parts }, (_, i): DeliveryJob => {
    const start = seats + i * NOTICES_PER_JOB;
    const delivery: Delivery = { ...common, notices: all.slice(start, start + NOTICES_PER_JOB) };
    return { ...unsentJob('deliver-notifications', {}, ctx.now), delivery, delivered: 0 };
  });
  const written = all
    .slice(0, seats)
    .map((notice) => newNotification(draftOf(notice, common, labels.get(notice.user_id)), ctx.now));
  return {
    writes: written.map(notify),
    jobs: [...jobs, ...sendingJobs(account_id, written, users, ctx.now)],
  };
}
