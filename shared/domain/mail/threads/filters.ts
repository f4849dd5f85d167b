import * as z from 'zod';
import { tagFilters } from '#shared/domain/collaboration/tags/filters.ts';
import { moment } from '#shared/moments.ts';
import { flag, requiredText, uuid } from '#shared/values.ts';

/** The query parameters that list and count threads (docs/specification/mail.md, "Lists and filters"). */

const slices = [
  'inbox',
  'today',
  'workweek',
  'flagged',
  'unread',
  'unreplied',
  'awaiting',
  'has_attachment',
  'unresolved',
  'snoozed',
  'pinned-contacts',
  'shared',
] as const;

export type Slice = (typeof slices)[number];

/** An email address (RFC 5321). */
const MAX_ADDRESS = 320;
const MAX_TEXT = 500;

const state = (what: string) =>
  flag.optional().meta({ description: `true keeps only ${what} threads; false behaves as omitted` });

export const threadFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'inbox sorts by inbox_sort_time; today and workweek go by the user’s time zone; unreplied and awaiting keep threads without a message from the user’s own addresses; pinned-contacts keeps threads with a contact the user pinned; shared keeps threads shared directly with the user',
  }),
  scope: z.enum(['personal', 'shared']).optional().meta({
    description:
      'personal: in the user’s primary mailbox; shared: shared with the user or one of their groups',
  }),
  mailbox_id: uuid.optional().meta({ description: 'Threads through this mailbox' }),
  contact_id: uuid.optional().meta({ description: 'Threads with one of this contact’s email addresses' }),
  organization_id: uuid.optional().meta({ description: 'Threads with someone employed there' }),
  space_id: uuid.optional().meta({ description: 'Threads of this space' }),
  query: requiredText(MAX_TEXT).optional().meta({
    description: 'Words of subject or snippet; each matches by its beginning, and all must match',
  }),
  subject: requiredText(MAX_TEXT).optional().meta({ description: 'Like query, in subjects only' }),
  participant: requiredText(MAX_ADDRESS).optional().meta({
    description: 'An email address on the thread, in any case',
    example: 'priya@ferries.example',
  }),
  category: z
    .enum(['personal', 'promotion', 'update', 'forum'])
    .optional()
    .meta({ description: 'The provider’s classification' }),
  unread: state('unread'),
  flagged: state('flagged'),
  unresolved: state('unresolved'),
  has_attachment: flag
    .optional()
    .meta({ description: 'true keeps only threads with attachments; false behaves as omitted' }),
  first_sent_before: moment.optional().meta({ description: 'Threads that started before this time' }),
  last_sent_after: moment.optional().meta({ description: 'Threads with a message sent after this time' }),
  ...tagFilters,
};

export type ThreadFilters = z.output<z.ZodObject<typeof threadFilters>>;
