import * as z from 'zod';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { Granted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { isoDate } from '#shared/values.ts';
import type { CustomField, DefinedType } from './custom-field.ts';
import { fieldsBeside } from './known.ts';
import { indexWith, isSortable, orderOfField, withValues } from './lists.ts';
import { MAX_INDEXED } from './rules.ts';

/** Filters and orders by custom fields (docs/specification/records.md, "Custom fields"). */

const MAX_VALUES = 50;

export const customFieldFilter = {
  custom_fields: z
    .record(z.string(), z.string())
    .refine((sent) => Object.keys(sent).length <= MAX_INDEXED, {
      error: `must be at most ${MAX_INDEXED} fields`,
    })
    .optional()
    .meta({
      description:
        'Records with these values of indexed fields, each sent as `custom_fields[key]=value`: one text, or up to 50 values of any other type with commas between them',
      example: { region: 'emea' },
    }),
};

const SORT = 'custom_fields.';

/** A value of `sort` besides the orders of the type. */
export const customFieldSort = z
  .string()
  .regex(/^custom_fields\../, { abort: true })
  .meta({ example: 'custom_fields.region' });

export const isCustomSort = (sort: string) => sort.startsWith(SORT);

/** 400 for a field that is not indexed, 422 `custom_field_indexing` until the records from before are. */
function requireIndexed(fields: CustomField[], key: string, parameter: string): CustomField {
  const field = fields.find((each) => each.key === key);
  if (!field?.indexed) throw invalidField(parameter, 'invalid', 'is not an indexed custom field of the type');
  if (field.indexing !== undefined) throw new ApiError('custom_field_indexing');
  return field;
}

const booleans: Record<string, boolean> = { true: true, false: false };

/** A number as JSON writes it. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Undefined for a text that is no value of the field. */
function readValue({ type }: CustomField, text: string): unknown {
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return NUMBER.test(text) ? Number(text) : undefined;
    case 'boolean':
      return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
    case 'date':
      return isoDate.safeParse(text).data;
    default:
      // Records may still have an option that is gone.
      return text === '' ? undefined : text;
  }
}

function readValues(field: CustomField, sent: string, parameter: string): unknown[] {
  const texts = field.type === 'text' ? [sent] : valuesOf(sent);
  if (texts.length > MAX_VALUES)
    throw invalidField(parameter, 'too_long', `must be at most ${MAX_VALUES} values`);
  const values = texts.map((text) => readValue(field, text));
  if (values.includes(undefined)) throw invalidField(parameter, 'invalid', `must be of type ${field.type}`);
  return [...new Set(values)];
}

/** 400 and 422 as in `requireIndexed`, 400 for values of another type. */
export async function customFieldCriteria<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  { sent, granted }: { sent: Record<string, string>; granted?: Granted | undefined },
): Promise<Criterion<R>[]> {
  const fields = await fieldsBeside(ctx, index.type as DefinedType, granted);
  return Object.entries(sent).map(([key, text]) => {
    const parameter = `custom_fields[${key}]`;
    const field = requireIndexed(fields, key, parameter);
    return withValues(index, field, readValues(field, text, parameter));
  });
}

/** The index with the order that `sort` names, and the name of that order in it. 400 and 422 as in `requireIndexed`. */
export async function sortedIndex<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  { sort, granted }: { sort: string; granted?: Granted | undefined },
): Promise<{ index: RecordIndex<R>; sort: string }> {
  if (!isCustomSort(sort)) return { index, sort };
  const fields = await fieldsBeside(ctx, index.type as DefinedType, granted);
  const field = requireIndexed(fields, sort.slice(SORT.length), 'sort');
  if (!isSortable(field)) throw invalidField('sort', 'invalid', `cannot be a field of type ${field.type}`);
  return { index: indexWith(index, [field]), sort: orderOfField(field) };
}
