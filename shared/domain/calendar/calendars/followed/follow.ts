import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { additionsOf, oneMore } from '#shared/domain/platform/limits/additions.ts';
import { invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustNotExist } from '#shared/table/table.ts';
import type { CalendarFile, ReachesCalendarFiles } from '../../servers/file.ts';
import { requestError } from '../../servers/request-error.ts';
import { ServerRefused } from '../../servers/server.ts';
import type { ServerCalendar } from '../calendar.ts';
import {
  type CalendarSubscription,
  type CalendarSubscriptionDraft,
  subscriptionIdOf,
} from '../subscriptions/subscription.ts';
import { followJob } from './job.ts';
import { subscriptionsToFiles } from './store.ts';

/** Subscribes to the address of a file, which becomes a calendar of the user's own. */

/** docs/specification/calendar.md, "Calendars from addresses". */
const MAX_FOLLOWED = 20;

/** Milliseconds: a request has 29 seconds. */
const PATIENCE = 15_000;

/** 400 for an address without a calendar, 502 for a server that does not answer. */
async function fileAt(ctx: CallerContext<ReachesCalendarFiles>, url: string): Promise<CalendarFile> {
  try {
    const files = ctx.ports.calendar_files(ctx.config);
    const file = await files.read(url, null, AbortSignal.timeout(PATIENCE));
    if (!file) throw new ServerRefused('The server says that nothing has changed');
    return file;
  } catch (cause) {
    throw requestError(cause, 'url', 'leads to no calendar');
  }
}

function newCalendar(
  { caller, now }: CallerContext,
  calendar_id: string,
  url: string,
  { name }: CalendarFile,
): ServerCalendar {
  return {
    ...keys.calendar(caller.account.id, calendar_id),
    mailbox_id: null,
    served: { url, name, description: null, color: null, read_only: true },
    found_at: now.toISOString(),
    follow: { user_id: caller.user.id, next_at: null, last_error: null, failures: 0 },
  };
}

type Address = Pick<CalendarSubscriptionDraft, 'visible' | 'color'> & { url: string };

/** Returns an existing subscription unchanged. */
export async function followAddress(
  ctx: CallerContext<ReachesCalendarFiles>,
  { url, visible, color = null }: Address,
): Promise<CalendarSubscription> {
  const { table, caller, now } = ctx;
  const user_id = caller.user.id;
  const id = subscriptionIdOf(user_id, url);
  const existing = async () => {
    const all = await subscriptionsToFiles(table, user_id);
    const found = all.find((each) => each.id === id);
    if (!found && all.length >= MAX_FOLLOWED)
      throw invalidField('url', 'invalid', `cannot be followed: a user follows at most ${MAX_FOLLOWED}`);
    return found;
  };
  const known = await existing();
  if (known) return known;
  const file = await fileAt(ctx, url);
  return retryOnConflict(async () => {
    const additions = await additionsOf(table, keys.additions(user_id, 'followed'));
    const found = await existing();
    if (found) return found;
    // Another one each time: the events of an earlier subscription rest.
    const calendar_id = newId(now);
    const subscription: CalendarSubscription = {
      ...keys.calendarSubscription(user_id, id),
      ...{ id, user_id, calendar_id, url, visible, color },
      created_at: now.toISOString(),
    };
    await commit(ctx, {
      writes: [
        { put: subscription, when: mustNotExist },
        { put: newCalendar(ctx, calendar_id, url, file) },
        oneMore(additions),
      ],
      jobs: [followJob({ account_id: caller.account.id, calendar_id }, now)],
    });
    return subscription;
  });
}
