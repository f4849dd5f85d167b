import type { JsonSchema } from './openapi-examples.ts';

/**
 * Which fields a request needs together, by the name of its schema, as far as JSON Schema can say it. Generators of
 * clients leave `if` alone; of `oneOf` and `anyOf` beside properties they make unions of nameless types, or code that
 * does not compile.
 */

const sent = (field: string): JsonSchema => ({ required: [field] });

/** With a value: not missing, not null, not empty. */
const filled = (field: string): JsonSchema => ({
  ...sent(field),
  properties: { [field]: { not: { type: 'null' }, minItems: 1 } },
});

const exactlyOne = (one: string, other: string): JsonSchema => ({
  if: sent(one),
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
  then: { not: sent(other) },
  else: sent(other),
});

/** Of two pairs, one or both of each. */
const oneOfEach = ([a, b]: [string, string], [c, d]: [string, string]): JsonSchema => {
  const second = { anyOf: [sent(c), sent(d)] };
  return {
    if: sent(a),
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
    then: second,
    else: { ...sent(b), ...second },
  };
};

const oneFilled = (first: string, ...others: string[]): JsonSchema => ({
  if: filled(first),
  else: { anyOf: others.map(filled) },
});

const bothOrNeither = (one: string, other: string): JsonSchema => ({
  if: filled(one),
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
  then: filled(other),
  else: { properties: { [other]: { type: 'null' } } },
});

export const conditions: Record<string, JsonSchema> = {
  ShareDraft: exactlyOne('user_id', 'group_id'),
  ApplyTagRequest: exactlyOne('tag_id', 'tag'),
  AttachmentDraft: exactlyOne('upload_id', 'file_id'),
  CalendarEventDraft: oneOfEach(['starts_at', 'starts_on'], ['ends_at', 'ends_on']),
  CalendarSubscriptionDraft: exactlyOne('calendar_id', 'url'),
  ContactChangesEmploymentOrganization: exactlyOne('id', 'name'),
  ContactDraftEmploymentOrganization: exactlyOne('id', 'name'),
  CreateSpaceMembershipRequest: exactlyOne('contact_id', 'organization_id'),
  DismissNotificationsRequest: {
    if: { ...sent('global'), properties: { global: { const: true } } },
    else: { anyOf: [sent('slice'), sent('ids')] },
  },
  ContactDraft: oneFilled('name', 'first_name', 'last_name', 'email_addresses'),
  ConversationDraft: bothOrNeither('record_type', 'record_id'),
};
