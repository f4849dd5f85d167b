import { exampleOf } from '#shared/api/openapi-examples.ts';
import { fieldsSent, fieldsShown, isFirst, wrapperOf } from './bodies.ts';
import { schemas } from './document.ts';
import type { Records } from './records.ts';
import { references, withAt } from './references.ts';
import { closed, type Sweep } from './swept.ts';

/** Every operation that changes a record, field by field. */

/** What is not changed here, with the reason. */
export const apart: Record<string, string> = {
  completeInitialization: 'has no fields',
  updateComment: 'replaces the content',
  updateCreditCard: 'replaces the card',
  updateMailboxCredentials: 'replaces the credentials',
  updateReaction: 'replaces the text',
  updateShare: 'replaces the access',
};

/** Fields that these records cannot have, with the reason. */
const foreign: Record<string, string> = {
  'calendar.sync_enabled': 'of a calendar at a server',
  'custom_field.options': 'of a selection',
  'draft.in_reply_to_message_id': 'needs mail',
  'mailbox.calendar_sync': 'of a mailbox with a server of calendars',
  'mailbox.label_sync': 'of a mailbox with a server',
  'milestone.contact_id': 'beside another parent',
  'milestone.organization_id': 'beside another parent',
  'milestone.space_id': 'beside another parent',
  'space.tag_ids': 'of a space of tags',
  'user.avatar_upload_id': 'needs a picture',
};

/** Instead of examples. */
const values: Record<string, unknown> = {
  'calendar_event.ends_at': '2026-11-23T11:00:00Z',
  'calendar_event.ends_on': '2026-11-25',
  'calendar_event.starts_at': '2026-11-23T08:00:00Z',
  'calendar_event.starts_on': '2026-11-22',
  'contact.name': 'Countess',
  'draft.from_email_address': 'ada@acme.example',
  'stage.name': 'Measured',
};

export interface Change extends Sweep {
  wrapper: string;
  /** In its order, without those that these records cannot have. */
  fields: string[];
  /** What the response shows may be null. */
  nullable: string[];
}

const isNullable = (schema: object | undefined) => JSON.stringify(schema ?? {}).includes('"null"');

export const changes: Change[] = closed
  .filter(({ method, definition: { name } }) => method === 'PATCH' && !apart[name])
  .filter(isFirst)
  .map((sweep) => {
    const wrapper = wrapperOf(sweep) ?? '';
    const fields = Object.keys(fieldsSent(sweep)).filter((field) => !foreign[`${wrapper}.${field}`]);
    const shown = fieldsShown(sweep);
    return { ...sweep, wrapper, fields, nullable: fields.filter((field) => isNullable(shown[field])) };
  });

/** A body with a value of the field, and with the caller's records for ids. */
export function bodyWith(change: Change, field: string, own: Records): unknown {
  const name = `${change.wrapper}.${field}`;
  const example = values[name] ?? exampleOf(fieldsSent(change)[field] ?? {}, schemas, field);
  return references
    .filter(({ sweep, path }) => sweep.template === change.template && `${path}.`.startsWith(`${name}.`))
    .filter(({ sweep, place }) => sweep.method === 'PATCH' && place === 'body')
    .reduce<unknown>((body, { path, type }) => withAt(body, path, own[type ?? '']), {
      [change.wrapper]: { [field]: example },
    });
}
