import * as z from 'zod';
import { commentRecord } from '#shared/domain/collaboration/comments/comment.ts';
import { tagRecord } from '#shared/domain/collaboration/tags/tag.ts';
import type { Item } from '#shared/table/table.ts';
import { isoDate, timestamp, uuid } from '#shared/values.ts';

type Text = string | null;

/** A contact as stored. `list` and `rank` put it in the account's list, or in its owner's when it is private. */
export type Contact = Item & {
  id: string;
  account_id: string;
  user_id: string;
  list: string;
  rank: string;
  name: string;
  first_name: Text;
  last_name: Text;
  nickname: Text;
  headline: Text;
  description: Text;
  avatar_url: Text;
  email_addresses: { id: string; email_address: string; label: Text; primary: boolean }[];
  phone_numbers: { id: string; phone_number: string; label: Text; primary: boolean }[];
  links: { id: string; url: string; label: Text }[];
  addresses: PostalAddress[];
  employments: Employment[];
  birthday: Text;
  time_zone: Text;
  visibility: 'account' | 'private';
  external_id: Text;
  /** As JSON text: numbers of JSON may be larger than DynamoDB's. */
  custom_fields: string;
  source: 'manual' | 'mailbox' | 'calendar' | 'import' | 'api' | 'agent';
  tag_ids?: Set<string>;
  created_at: string;
  updated_at: Text;
};

interface PostalAddress {
  id: string;
  street: Text;
  city: Text;
  region: Text;
  postal_code: Text;
  country: Text;
  label: Text;
}

interface Employment {
  id: string;
  title: Text;
  organization: { id: string; name: string; domain: Text } | null;
  current: boolean;
  started_on: Text;
  ended_on: Text;
}

const shown = (example: string) => z.string().nullable().meta({ example });

/** docs/specification/records.md, "Contacts". */
export const contactRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid.nullable(),
    name: z.string().meta({ example: 'Ada Byron' }),
    first_name: shown('Ada'),
    last_name: shown('Byron'),
    nickname: shown('Countess'),
    headline: shown('Analyst'),
    description: shown('Met at the conference in Leeds.'),
    avatar_url: shown('https://acme.example/ada.png'),
    email_addresses: z.array(
      z.strictObject({
        id: uuid,
        email_address: z.string().meta({ example: 'ada@acme.example' }),
        label: shown('work'),
        primary: z.boolean(),
      }),
    ),
    phone_numbers: z.array(
      z.strictObject({
        id: uuid,
        phone_number: z.string().meta({ example: '+44 20 7946 0123' }),
        label: shown('work'),
        primary: z.boolean(),
      }),
    ),
    links: z.array(
      z.strictObject({
        id: uuid,
        url: z.string().meta({ example: 'https://acme.example/ada' }),
        label: shown('work'),
      }),
    ),
    addresses: z.array(
      z.strictObject({
        id: uuid,
        street: shown('12 St James Square'),
        city: shown('London'),
        region: shown('Greater London'),
        postal_code: shown('SW1Y 4JH'),
        country: shown('GB'),
        label: shown('work'),
      }),
    ),
    employments: z.array(
      z.strictObject({
        id: uuid,
        title: shown('Analyst'),
        organization: z
          .strictObject({
            id: uuid,
            name: z.string().meta({ example: 'Acme' }),
            domain: shown('acme.example'),
          })
          .nullable(),
        current: z.boolean(),
        started_on: isoDate.nullable(),
        ended_on: isoDate.nullable(),
      }),
    ),
    birthday: isoDate.nullable(),
    time_zone: shown('Europe/London'),
    visibility: z.enum(['account', 'private']),
    external_id: shown('crm-1024'),
    custom_fields: z.record(z.string(), z.unknown()).meta({ example: { customer_number: 'A-1024' } }),
    pinned: z.boolean(),
    source: z.enum(['manual', 'mailbox', 'calendar', 'import', 'api', 'agent']),
    thread_count: z.int().nullable(),
    last_interaction_at: timestamp.nullable(),
    next_interaction_at: timestamp.nullable(),
    space_ids: z.array(uuid),
    tags: z.array(tagRecord).nullable(),
    shares: z.array(z.unknown()).nullable(),
    comments: z.array(commentRecord).nullable(),
    tasks: z.array(z.unknown()).nullable(),
    created_at: timestamp,
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Contact' });

export type ContactRecord = z.input<typeof contactRecord>;

/** What a contact carries that is kept elsewhere; in lists `comments` is null. */
export type ContactExtras = Pick<ContactRecord, 'tags' | 'comments'>;

export function presentContact(contact: Contact, { tags, comments }: ContactExtras): ContactRecord {
  const inList = comments === null;
  return {
    id: contact.id,
    user_id: contact.user_id,
    name: contact.name,
    first_name: contact.first_name,
    last_name: contact.last_name,
    nickname: contact.nickname,
    headline: contact.headline,
    description: contact.description,
    avatar_url: contact.avatar_url,
    email_addresses: contact.email_addresses,
    phone_numbers: contact.phone_numbers,
    links: contact.links,
    addresses: contact.addresses,
    employments: contact.employments,
    birthday: contact.birthday,
    time_zone: contact.time_zone,
    visibility: contact.visibility,
    external_id: contact.external_id,
    custom_fields: JSON.parse(contact.custom_fields),
    pinned: false,
    source: contact.source,
    thread_count: null,
    last_interaction_at: null,
    next_interaction_at: null,
    space_ids: [],
    tags,
    shares: [],
    comments,
    tasks: inList ? null : [],
    created_at: contact.created_at,
    updated_at: contact.updated_at,
  };
}
