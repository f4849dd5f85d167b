import * as z from 'zod';
import type { Interactions } from '#shared/domain/collaboration/records/interactions.ts';
import { presentShares } from '#shared/domain/collaboration/shares/share.ts';
import { employment } from '#shared/domain/crm/details/employment.ts';
import { details, shown } from '#shared/domain/crm/details/fields.ts';
import { attachedFields, commonFields, type StoredRecord } from '#shared/domain/crm/details/record.ts';
import type { OrganizationSummary } from '#shared/domain/crm/organizations/summary.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { apart, derived, given, optional, resource, type StoredFields } from '#shared/resource.ts';
import { isoDate, timestamp, uuid } from '#shared/values.ts';
import { enrichmentSchema, presentEnrichment, type StoredEnrichment } from './enrichment.ts';
import { written } from './written.ts';

const contacts = resource('Contact', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  name: optional(written.name, z.string().meta({ example: 'Ada Byron' })),
  first_name: optional(written.first_name, shown('Ada')),
  last_name: optional(written.last_name, shown('Byron')),
  nickname: optional(written.nickname, shown('Countess')),
  headline: optional(written.headline, shown('Analyst')),
  description: optional(written.description, shown('Met at the conference in Leeds.')),
  avatar_url: optional(written.avatar_url, shown('https://acme.example/ada.png')),
  email_addresses: optional(
    written.email_addresses,
    z.array(
      z.strictObject({
        id: uuid,
        email_address: z.string().meta({ example: 'ada@acme.example' }),
        label: shown('work'),
        primary: z.boolean(),
      }),
    ),
  ),
  ...details,
  employments: apart(optional(written.employments, z.array(employment))),
  birthday: optional(written.birthday, isoDate.nullable()),
  time_zone: optional(written.time_zone, shown('Europe/London')),
  ...commonFields,
  pinned: derived(z.boolean()),
  source: given(z.enum(['manual', 'mailbox', 'calendar', 'import', 'api', 'agent'])),
  thread_count: derived(z.int().nullable()),
  last_interaction_at: derived(timestamp.nullable()),
  next_interaction_at: derived(timestamp.nullable()),
  space_ids: derived(z.array(uuid)),
  merged_ids: derived(z.array(uuid)),
  enrichment: derived(enrichmentSchema.nullable()),
  ...attachedFields,
});

/** A job as stored: its organization may be one that the reader does not see. */
type Employment = Omit<z.output<typeof employment>, 'organization'> & { organization: { id: string } | null };

/** A contact as stored. */
export type Contact = StoredRecord &
  StoredFields<typeof contacts.fields> & {
    employments: Employment[];
    /** The users who pinned it; missing when nobody did. */
    pinned_by?: Set<string>;
    /** The contacts that became part of it, in their order; missing when there are none. */
    merged_ids?: string[];
  };

/** docs/specification/records.md, "Contacts". */
export const contactSchema = contacts.response;

export const writableFields = contacts.writable;

export type WritableField = (typeof writableFields)[number];

const named = ['name', 'first_name', 'last_name', 'email_addresses'] as const;

function hasName(draft: unknown): boolean {
  if (typeof draft !== 'object' || draft === null || Array.isArray(draft)) return true;
  return named.some((field) => {
    const value = (draft as Record<string, unknown>)[field];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  });
}

export const contactDraft = contacts.strictDraft
  .refine(hasName, {
    path: ['name'],
    error: 'is required, unless first_name, last_name or email_addresses is given',
    params: { field_code: 'required' },
    when: () => true,
  })
  .meta({ id: 'ContactDraft' });

export type ContactDraft = z.output<typeof contactDraft>;

/** Fields that are not sent stay, `null` clears, and an array replaces the whole array. */
export const contactChanges = contacts.changes.meta({ id: 'ContactChanges' });

export type ContactChanges = Pick<z.output<typeof contactChanges>, WritableField>;

export type ContactRecord = z.input<typeof contactSchema>;

/** Parts of a contact that are stored elsewhere; in lists `comments` and `tasks` are null, and nothing is known of its mail. */
export type ContactExtras = Pick<ContactRecord, 'tags' | 'comments' | 'tasks' | 'space_ids'> & {
  /** Its visible employers, by id. */
  employers: ReadonlyMap<string, OrganizationSummary>;
  mail?: Interactions;
  enrichment?: StoredEnrichment | undefined;
};

/** As this user sees it. */
export function presentContact(
  contact: Contact,
  user: Pick<User, 'id'>,
  { tags, comments, tasks, employers, space_ids, mail, enrichment }: ContactExtras,
): ContactRecord {
  return contacts.present(contact, {
    employments: contact.employments.map((each) => ({
      ...each,
      organization: employers.get(each.organization?.id ?? '') ?? null,
    })),
    custom_fields: JSON.parse(contact.custom_fields),
    pinned: contact.pinned_by?.has(user.id) ?? false,
    thread_count: mail?.thread_count ?? null,
    last_interaction_at: mail?.last_interaction_at ?? null,
    next_interaction_at: mail?.next_interaction_at ?? null,
    merged_ids: contact.merged_ids ?? [],
    enrichment: enrichment ? presentEnrichment(enrichment) : null,
    space_ids,
    tags,
    shares: presentShares(contact.shares, { type: 'contacts', id: contact.id }),
    comments,
    tasks,
  });
}
