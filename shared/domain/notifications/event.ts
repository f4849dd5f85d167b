import * as z from 'zod';
import { refuse } from '../../values.ts';

/** What users are told about (specification, "Events"). */
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
] as const;

export type NotificationEvent = (typeof notificationEvents)[number];

const known: ReadonlySet<string> = new Set(notificationEvents);

/** The query parameters that choose notifications, of the list and of the count. */
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

/** What is kept of a user's notifications. */
export interface NotificationChoice {
  /** All events when absent. */
  events: NotificationEvent[] | undefined;
  unread: boolean;
}

export function readChoice(query: { slice?: string; status?: 'unread' }): NotificationChoice {
  const events = query.slice?.split(',') as NotificationEvent[] | undefined;
  return { events: events && [...new Set(events)], unread: query.status === 'unread' };
}
