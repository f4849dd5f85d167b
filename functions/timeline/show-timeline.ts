import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { hidden } from '#shared/composition/hidden.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import { type EntryType, entryTypes, timelineSchema } from '#shared/domain/insight/timeline/entry.ts';
import { momentOf } from '#shared/domain/insight/timeline/moment.ts';
import { requireOne } from '#shared/domain/insight/timeline/policy.ts';
import { readTimeline } from '#shared/domain/insight/timeline/read.ts';
import { moment } from '#shared/moments.ts';
import { pageSize, uuid } from '#shared/values.ts';

export const showTimeline = route('showTimeline', {
  method: 'GET',
  path: '/timeline',
  access: 'read',
  summary: 'Show a timeline',
  description:
    'What happened, newest first: to a contact, an organization, a deal or a space, by a user, or in the account, as the key’s user sees it. A page may be shorter where much of it is hidden or of other types: continue with `before` while `has_more` is true.',
  query: {
    contact_id: uuid.optional().meta({ description: 'The timeline of this contact' }),
    organization_id: uuid.optional().meta({ description: 'The timeline of this organization' }),
    deal_id: uuid.optional().meta({ description: 'The timeline of this deal' }),
    space_id: uuid.optional().meta({ description: 'The timeline of this space' }),
    user_id: uuid.optional().meta({ description: 'What this user did' }),
    types: several(z.enum(entryTypes))
      .optional()
      .meta({ description: 'Types of entries, separated by commas; all when omitted' }),
    before: moment.optional().meta({
      description: 'Entries before this moment: `oldest_timestamp` of the page before, as it was sent',
    }),
    limit: pageSize(100).default(50),
  },
  returns: { 200: { timeline: timelineSchema } },
  errors: ['record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(
  showTimeline,
  async ({ ctx, query: { types, before, limit, ...whose } }) => {
    requireOne(whose);
    const timeline = await readTimeline(ctx, {
      whose,
      types: types === undefined ? undefined : (valuesOf(types) as EntryType[]),
      before: before === undefined ? undefined : momentOf(before, ctx.caller.user.time_zone),
      limit,
    });
    return { timeline };
  },
  { ...visibility, ...contacts, ...hidden },
);
