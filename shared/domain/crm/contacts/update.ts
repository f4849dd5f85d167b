import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { customFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import { invalidField } from '#shared/errors.ts';
import type { Contact } from './contact.ts';
import { customFieldsOf } from './create.ts';
import type { ContactChanges } from './draft.ts';
import { entriesOf, keepIds } from './entries.ts';
import { nameOf, placed } from './place.ts';

const plainFields = [
  'first_name',
  'last_name',
  'nickname',
  'headline',
  'description',
  'avatar_url',
  'birthday',
  'time_zone',
  'visibility',
  'external_id',
] as const;

/** `{}` for what was not sent. */
function field<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]: Value });
}

function plainOf(changes: ContactChanges): Partial<Contact> {
  return Object.assign({}, ...plainFields.map((name) => field(name, changes[name])));
}

/** An entry that was there already keeps its id. */
function listsOf(before: Contact, changes: ContactChanges, now: Date): Partial<Contact> {
  const { email_addresses, phone_numbers, links, addresses, employments } = changes;
  return {
    ...(email_addresses && {
      email_addresses: keepIds(before.email_addresses, entriesOf.email_addresses(email_addresses, now)),
    }),
    ...(phone_numbers && {
      phone_numbers: keepIds(before.phone_numbers, entriesOf.phone_numbers(phone_numbers, now)),
    }),
    ...(links && { links: keepIds(before.links, entriesOf.links(links, now)) }),
    ...(addresses && { addresses: keepIds(before.addresses, entriesOf.addresses(addresses, now)) }),
    ...(employments && { employments: keepIds(before.employments, entriesOf.employments(employments, now)) }),
  };
}

/**
 * Keys that are sent replace, those that are not stay, `null` removes (docs/specification/records.md, "Custom fields").
 */
function customOf(before: Contact, { custom_fields: sent }: ContactChanges): string {
  if (sent === undefined) return before.custom_fields;
  const merged = customFieldsOf({ ...JSON.parse(before.custom_fields), ...sent });
  const [problem] = z.safeParse(customFields, JSON.parse(merged)).error?.issues ?? [];
  if (problem) throw invalidField('custom_fields', 'too_long', problem.message);
  return merged;
}

/** One that was computed follows what it was computed from; `null` has it computed. */
function nameAfter(before: Contact, after: Contact, sent: string | null | undefined): string {
  const computed = before.name === nameOf({ ...before, name: null });
  const name = nameOf({ ...after, name: sent === undefined && !computed ? before.name : (sent ?? null) });
  if (name === '')
    throw invalidField('name', 'required', 'is required without first_name, last_name and email_addresses');
  return name;
}

/** The moment of a change: later than that of any other change of the contact. */
export function nextMoment(before: Contact, now: Date): string {
  const last = before.updated_at === null ? 0 : Date.parse(before.updated_at);
  return new Date(Math.max(now.getTime(), last + 1)).toISOString();
}

/**
 * The contact as it will be: itself when nothing changes, else for `contactWrites`. 400 when nothing would name it, or
 * when it would be too large; 404 for an employment at an organization that is not visible.
 */
export function changeContact(before: Contact, changes: ContactChanges, now: Date): Contact {
  const changed: Contact = {
    ...before,
    ...plainOf(changes),
    ...listsOf(before, changes, now),
    custom_fields: customOf(before, changes),
  };
  const after = placed({ ...changed, name: nameAfter(before, changed, changes.name) });
  if (isDeepStrictEqual(after, before)) return before;
  return { ...after, updated_at: nextMoment(before, now) };
}
