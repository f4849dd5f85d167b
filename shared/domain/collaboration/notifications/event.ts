import * as z from 'zod';
import { invalidField } from '#shared/errors.ts';
import { refuse, uuid } from '#shared/values.ts';

/** The events that users are notified of (docs/specification/notifications.md, "Events"). */
export const notificationEvents = [
  'task_assigned',
  'task_shared',
  'deal_assigned',
  'deal_won',
  'deal_stage_moved',
  'deal_shared',
  'comment_added',
  'comment_mentioned',
  'interaction_share_requested',
  'milestone_shared',
  'file_shared',
  'thread_shared',
  'contact_shared',
  'organization_shared',
  'calendar_event_shared',
  'space_shared',
  'mailbox_shared',
  'draft_failed',
  'mailbox_locked',
  'mailbox_unlocked',
  'proposal_created',
  'proposal_applied',
  'task_reminder',
  'calendar_event_reminder',
] as const;

export type NotificationEvent = (typeof notificationEvents)[number];

const known: ReadonlySet<string> = new Set(notificationEvents);

/** The query parameters that select notifications, for the list and the count. */
export const notificationFilters = {
  slice: z
    .string()
    .check((context) => {
      if (!context.value.split(',').every((event) => known.has(event)))
        refuse(context, 'invalid', 'must be events of the specification, with commas between them');
    })
    .optional()
    .meta({
      description: 'Events to keep, with commas between them',
      example: 'comment_added,comment_mentioned',
    }),
  status: z
    .enum(['unread'], { error: 'must be unread' })
    .optional()
    .meta({ description: 'Leave it out to include read notifications' }),
};

/** A selection of a user's notifications. */
export interface NotificationChoice {
  /** Missing means all events. */
  events: NotificationEvent[] | undefined;
  unread: boolean;
}

export function readChoice(query: {
  slice?: string | undefined;
  status?: 'unread' | undefined;
}): NotificationChoice {
  const events = query.slice?.split(',') as NotificationEvent[] | undefined;
  return { events: events && [...new Set(events)], unread: query.status === 'unread' };
}

/** The longest page of the list, and what one transaction can write. */
const MAX_IDS = 100;

/** Validated only when there are not too many: a body has room for a million of them. */
const sentId = z.unknown().meta({ type: 'string', format: 'uuid' }) as z.ZodType<string, string>;

/** The request body of dismissals. */
export const dismissal = {
  ids: z.array(sentId).max(MAX_IDS).pipe(z.array(uuid)).optional(),
  slice: notificationFilters.slice,
  global: z.boolean().optional().meta({ description: 'true dismisses all, false none' }),
};

/** `global` wins over `slice`, and `slice` over `ids`. 400 when none is sent: that is a programming error. */
export function readDismissal(sent: {
  ids?: string[] | undefined;
  slice?: string | undefined;
  global?: boolean | undefined;
}): { ids: string[] } | { events: NotificationEvent[] | undefined } {
  if (sent.global) return { events: undefined };
  if (sent.slice !== undefined) return { events: readChoice({ slice: sent.slice }).events };
  if (sent.ids === undefined) throw invalidField('ids', 'required', 'is required without slice and global');
  return { ids: sent.ids };
}
