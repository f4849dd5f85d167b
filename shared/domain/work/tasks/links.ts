import type { Linking } from '#shared/domain/collaboration/records/link-fields.ts';
import { MAX_LINKS } from './written.ts';

/** The records that a task is about. */

/** The type of the records in each field, in the order of a task's refs. */
export const linkFields = {
  thread_id: 'threads',
  contact_ids: 'contacts',
  organization_ids: 'organizations',
  deal_id: 'deals',
  space_id: 'spaces',
  milestone_id: 'milestones',
  calendar_event_id: 'calendar_events',
} as const;

export const linking = { type: 'tasks', fields: linkFields, most: MAX_LINKS } as const satisfies Linking<
  typeof linkFields
>;
