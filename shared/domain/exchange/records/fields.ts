/** What a column of a file can be, by the type of the records. */

export const importableTypes = ['contacts', 'organizations', 'deals', 'tasks', 'calendar_events'] as const;

export type ImportableType = (typeof importableTypes)[number];

interface FieldKind {
  /** Several columns may have it. */
  many?: true;
  /** Takes a label, as in `phone_numbers.work`. */
  labelled?: true;
}

const one: FieldKind = {};
const many: FieldKind = { many: true };
const labelled: FieldKind = { labelled: true };
const entries: FieldKind = { many: true, labelled: true };

const details = {
  phone_numbers: entries,
  links: entries,
  street: labelled,
  city: labelled,
  region: labelled,
  postal_code: labelled,
  country: labelled,
};

const common = { visibility: one, external_id: one };

const kept = { ...common, tags: many, custom_fields: labelled };

const importFields = {
  contacts: {
    name: one,
    first_name: one,
    last_name: one,
    nickname: one,
    headline: one,
    description: one,
    avatar_url: one,
    email_addresses: entries,
    ...details,
    organization: one,
    title: one,
    birthday: one,
    time_zone: one,
    ...kept,
  },
  organizations: {
    name: one,
    domains: many,
    description: one,
    industry: one,
    website_url: one,
    logo_url: one,
    employee_count: one,
    ...details,
    ...kept,
  },
  deals: {
    name: one,
    pipeline: one,
    pipeline_id: one,
    stage: one,
    stage_id: one,
    amount: one,
    currency: one,
    probability: one,
    expected_close_on: one,
    lost_reason: one,
    description: one,
    assigned_user: one,
    assigned_user_id: one,
    organization: one,
    organization_id: one,
    contacts: many,
    contact_ids: many,
    ...kept,
  },
  tasks: {
    name: one,
    description: one,
    due_at: one,
    priority: one,
    assigned_user: one,
    assigned_user_id: one,
    organizations: many,
    organization_ids: many,
    contacts: many,
    contact_ids: many,
    deal_id: one,
    space_id: one,
    milestone_id: one,
    ...common,
  },
  // From iCalendar alone.
  calendar_events: {},
} as const satisfies Record<ImportableType, Record<string, FieldKind>>;

/** A field with its label: `phone_numbers.work`, `custom_fields.Region`. */
export interface Target {
  field: string;
  label: string | null;
}

export function readTarget(text: string): Target {
  const dot = text.indexOf('.');
  return dot < 0
    ? { field: text, label: null }
    : { field: text.slice(0, dot), label: text.slice(dot + 1).trim() };
}

const kindOf = (type: ImportableType, field: string): FieldKind | undefined =>
  Object.hasOwn(importFields[type], field)
    ? (importFields[type] as Record<string, FieldKind>)[field]
    : undefined;

/** Whether a column of records of the type can be this. */
export function isTarget(type: ImportableType, text: string): boolean {
  const { field, label } = readTarget(text);
  const kind = kindOf(type, field);
  if (!kind) return false;
  if (label === null) return field !== 'custom_fields';
  return kind.labelled === true && label !== '' && label.length <= 255;
}

/** Whether several columns may be this. */
export const takesSeveral = (type: ImportableType, text: string): boolean =>
  kindOf(type, readTarget(text).field)?.many === true;
