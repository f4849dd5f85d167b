import * as z from 'zod';
import type { Label } from '#shared/domain/collaboration/records/kind.ts';
import { pluralOf } from '#shared/domain/collaboration/records/types.ts';
import { derived, fixed, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableText, timestamp, uuid } from '#shared/values.ts';
import type { InteractionType } from './interaction.ts';

/** Asking for access to a thread or an event (docs/specification/people.md, "Share requests"). */

const recordType = z.enum(['thread', 'calendar_event']);

const requestStatuses = ['pending', 'approved', 'denied', 'withdrawn'] as const;

const message = clearableText(1_000)
  .optional()
  .transform((sent) => sent ?? null);

const name = z.string().nullable().optional();

const record = z
  .strictObject({ id: uuid, subject: name, name })
  .nullable()
  .meta({ example: { id: '0198c0de-0000-7000-8000-000000000002', subject: 'Winter timetable' } });

const requests = resource('ShareRequest', {
  id: given(uuid),
  user_id: given(uuid),
  record_type: fixed(required(recordType, recordType)),
  record_id: fixed(required(uuid, uuid)),
  record: derived(record),
  requested_by_user_id: derived(uuid),
  approver_user_ids: given(z.array(uuid)),
  message: fixed(optional(message, z.string().nullable())),
  status: given(z.enum(requestStatuses)),
  answered_by_user_id: given(uuid.nullable().meta({ example: null })),
  answered_at: given(timestamp.nullable().meta({ example: null })),
  share_id: given(uuid.nullable().meta({ example: null })),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable().meta({ example: null })),
});

/** A request as stored. `user_id` is who asks. */
export type ShareRequest = Item & StoredFields<typeof requests.fields> & { account_id: string };

export const shareRequestSchema = requests.response;

export type ShareRequestRecord = z.infer<typeof shareRequestSchema>;

export const shareRequestDraft = requests.strictDraft.meta({ id: 'ShareRequestDraft' });

export type ShareRequestDraft = z.output<typeof requests.draft>;

export const typeOf = ({ record_type }: Pick<ShareRequest, 'record_type'>) =>
  pluralOf(record_type) as InteractionType;

export const isPending = ({ status }: Pick<ShareRequest, 'status'>) => status === 'pending';

/** `seen`: the record as the reader sees it. */
export const presentRequest = (
  request: ShareRequest,
  seen?: { id: string; label: Label },
): ShareRequestRecord =>
  requests.present(request, {
    requested_by_user_id: request.user_id,
    record: seen ? { id: seen.id, ...seen.label } : null,
  });
