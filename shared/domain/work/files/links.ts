import type { Linking } from '#shared/domain/collaboration/records/link-fields.ts';
import { MAX_LINKS } from './written.ts';

/** The records that users link a file to; mail links it to threads (carriers.ts). */

const linkFields = {
  contact_ids: 'contacts',
  organization_ids: 'organizations',
  deal_ids: 'deals',
  space_ids: 'spaces',
  calendar_event_id: 'calendar_events',
} as const;

export const linking = { type: 'files', fields: linkFields, most: MAX_LINKS } as const satisfies Linking<
  typeof linkFields
>;
