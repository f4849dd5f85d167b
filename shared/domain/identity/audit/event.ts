import * as z from 'zod';
import { given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** Every action that is kept (docs/specification/people.md, "Audit"). */
const actions = [
  'account_created',
  'account_updated',
  'account_closed',
  'account_reopened',
  'user_invited',
  'user_added',
  'user_joined',
  'user_updated',
  'user_deactivated',
  'user_reactivated',
  'signed_in',
  'signed_out',
  'session_issued',
  'session_ended',
  'session_stolen',
  'api_key_created',
  'api_key_deleted',
  'terms_accepted',
] as const;

const subject = z
  .strictObject({
    type: z.enum(['account', 'user', 'session', 'api_key', 'terms']),
    id: z.string().meta({ example: '0198c0de-0000-7000-8000-000000000001' }),
    name: z.string().nullable(),
  })
  .meta({ id: 'AuditSubject' });

const change = z
  .strictObject({
    field: z.string().meta({ example: 'role' }),
    before: z.unknown().meta({ example: 'member' }),
    after: z.unknown().meta({ example: 'admin' }),
  })
  .meta({ id: 'AuditChange' });

const events = resource('AuditEvent', {
  id: given(uuid),
  action: given(z.enum(actions)),
  user_id: given(uuid.nullable()),
  credential_id: given(uuid.nullable()),
  subject: given(subject),
  changes: given(z.array(change)),
  ip_address: given(z.string().nullable().meta({ example: '203.0.113.7' })),
  user_agent: given(z.string().nullable().meta({ example: 'Mozilla/5.0' })),
  created_at: given(timestamp),
});

export type AuditChange = z.output<typeof change>;

/** An event as stored. */
export type AuditEvent = Item &
  StoredFields<typeof events.fields> & {
    expires_epoch: number;
  };

export const auditEventSchema = events.response;

export const presentAuditEvent = (event: AuditEvent): z.infer<typeof auditEventSchema> =>
  events.present(event, {});
