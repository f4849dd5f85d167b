import type { ShareKind } from '#shared/domain/collaboration/shares/kind.ts';
import { keys } from '#shared/table/keys.ts';
import { seesDetails } from './access.ts';
import { findVisibleEvent } from './load.ts';
import { editsAround } from './policy.ts';
import { sharesOf } from './present.ts';
import { eventRef } from './writes.ts';

/** Events as records with shares: by who edits in the calendar (docs/specification/people.md, "Shares"). */
export const eventSharing: ShareKind = {
  async load(ctx, id) {
    const found = await findVisibleEvent(ctx, id);
    if (!found || !seesDetails(ctx.caller.user, found.event)) return undefined;
    const { event, stored, series } = found;
    return {
      record: eventRef(id),
      item: keys.record('calendar_events', id),
      account_id: event.account_id,
      label: { name: event.private ? null : event.name },
      shares: stored?.shares ?? {},
      inherited: series ? sharesOf({ ...event, shares: series.shares }) : [],
      may_share: editsAround(ctx.caller, event),
      opens: {},
    };
  },
  giving: () => [],
  taking: () => [],
};
