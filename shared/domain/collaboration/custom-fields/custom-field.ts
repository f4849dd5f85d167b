import * as z from 'zod';
import { NO_KEY } from '#shared/domain/collaboration/records/custom-fields.ts';
import {
  apart,
  defaulted,
  derived,
  fixed,
  given,
  optional,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { nameAsTyped, nameText, refuse, timestamp, uuid } from '#shared/values.ts';

/** What accounts say of their custom fields (docs/specification/records.md, "Custom fields"). */

/** Record types with custom fields. */
export const definedTypes = ['contacts', 'organizations', 'deals'] as const satisfies readonly RecordType[];

export type DefinedType = (typeof definedTypes)[number];

export const fieldTypes = ['text', 'number', 'boolean', 'date', 'select', 'multi_select'] as const;

export type FieldType = (typeof fieldTypes)[number];

const MAX_OPTIONS = 100;

const key = nameAsTyped(255)
  .check((context) => {
    if (context.value === NO_KEY) refuse(context, 'invalid', 'cannot be a key of custom_fields');
  })
  .meta({ example: 'customer_number' });

/** Filters take several values with commas between them, and cells of tables with semicolons. */
const optionValue = nameText(100)
  .check((context) => {
    if (/[,;]/.test(context.value)) refuse(context, 'invalid_format', 'must have no commas and semicolons');
  })
  .meta({ example: 'emea' });

const optionName = nameText(255).meta({ example: 'Europe and Africa' });

const optionSchema = z.strictObject({ value: optionValue, name: optionName });

const options = z
  .array(z.object({ value: optionValue, name: optionName.optional() }))
  .max(MAX_OPTIONS)
  .check((context) => {
    const values = context.value.map(({ value }) => value);
    values.forEach((value, i) => {
      if (values.indexOf(value) < i)
        context.issues.push({
          code: 'custom',
          path: [i, 'value'],
          input: context.value,
          message: 'is the value of another option',
          params: { field_code: 'taken' },
        });
    });
  });

const position = z.int().min(0);
const yes = z.boolean();

const customFields = resource('CustomField', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  record_type: fixed(required(z.enum(definedTypes), z.enum(definedTypes))),
  key: fixed(required(key, z.string().meta({ example: 'customer_number' }))),
  name: required(nameText(255), z.string().meta({ example: 'Customer number' })),
  type: fixed(required(z.enum(fieldTypes), z.enum(fieldTypes))),
  options: defaulted(options, [], z.array(optionSchema)),
  required: defaulted(yes, false, yes),
  unique: fixed(defaulted(yes, false, yes)),
  indexed: defaulted(yes, false, yes),
  status: derived(z.enum(['ready', 'indexing'])),
  position: apart(optional(position.optional(), position)),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** A definition as stored, with those of its type. */
export type CustomField = StoredFields<typeof customFields.fields> & {
  /** The job that brings the records from before to it; missing once that is done. */
  indexing?: string;
};

/** All definitions of a record type in their order: one item, so that every change of them has one winner. */
export type FieldSet = Item & { fields: CustomField[]; version: number };

/** docs/specification/records.md, "Custom fields". */
export const customFieldSchema = customFields.response;
export const customFieldDraft = customFields.strictDraft.meta({ id: 'CustomFieldDraft' });
export const customFieldChanges = customFields.changes.meta({ id: 'CustomFieldChanges' });

export type CustomFieldDraft = z.output<typeof customFieldDraft>;
export type CustomFieldChanges = z.output<typeof customFieldChanges>;
export type CustomFieldRecord = z.output<typeof customFieldSchema>;

/** Its position is its place among those of its type. */
export const presentCustomField = (field: CustomField, place: number): CustomFieldRecord =>
  customFields.present(field, { status: field.indexing ? 'indexing' : 'ready', position: place });
