import type { JsonSchema } from './openapi-examples.ts';

/**
 * Which fields a request needs together, by the name of its schema, as far as JSON Schema can say it. Below `allOf`
 * generators of clients keep the object as it is; beside the properties, `oneOf` makes a union of nameless types of it.
 */

const sent = (...fields: string[]): JsonSchema => ({ required: fields });

const exactlyOne = (...fields: string[]) => ({ oneOf: fields.map((field) => sent(field)) });
const atLeastOne = (...fields: string[]) => ({ anyOf: fields.map((field) => sent(field)) });

export const conditions: Record<string, JsonSchema> = {
  ShareDraft: exactlyOne('user_id', 'group_id'),
  ApplyTagRequest: exactlyOne('tag_id', 'tag'),
  DismissNotificationsRequest: atLeastOne('ids', 'slice', 'global'),
  ContactDraft: atLeastOne('name', 'first_name', 'last_name', 'email_addresses'),
  ConversationDraft: { dependentRequired: { record_type: ['record_id'], record_id: ['record_type'] } },
};
