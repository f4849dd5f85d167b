import * as z from 'zod';
import { notWritable } from './values.ts';

/**
 * The one list of a resource's fields. The stored type, the request bodies, the response schema and the presenter
 * derive from it.
 */

/** The core of a schema: comparing whole `z.ZodType`s slows the compiler most. */
type Schema = z.core.$ZodType;

interface FieldOf<
  Shown extends Schema,
  Stored extends Schema,
  Draft extends Schema | undefined,
  Change extends Schema,
  Apart extends boolean,
> {
  /** In responses. */
  shown: Shown;
  /** As stored: the same as shown, or narrower than the contract allows. */
  stored: Stored;
  /** In requests that create; undefined for fields that only the service sets. */
  draft: Draft;
  /** In requests that change. */
  change: Change;
  /** Not stored as shown: the caller of `present` gives the value. */
  apart: Apart;
}

type Field = FieldOf<Schema, Schema, Schema | undefined, Schema, boolean>;

type Fields = Record<string, Field>;

type NotWritable = typeof notWritable;

/** Set by the service, and stored as shown. */
export function given<Shown extends Schema>(
  shown: Shown,
): FieldOf<Shown, Shown, undefined, NotWritable, false> {
  return { shown, stored: shown, draft: undefined, change: notWritable, apart: false };
}

/**
 * The same, but stored narrower than the contract allows: for example a field that is nullable in responses and never
 * null.
 */
export function narrower<Shown extends Schema, Stored extends z.core.$ZodType<z.output<Shown>>>(
  shown: Shown,
  stored: Stored,
): FieldOf<Shown, Stored, undefined, NotWritable, false> {
  return { ...given(shown), stored };
}

/** Computed for the response. */
export function derived<Shown extends Schema>(
  shown: Shown,
): FieldOf<Shown, Shown, undefined, NotWritable, true> {
  return apart(given(shown));
}

/** Sent by every request that creates. */
export function required<Written extends z.ZodType, Shown extends Schema>(
  written: Written,
  shown: Shown,
): FieldOf<Shown, Shown, Written, z.ZodOptional<Written>, false> {
  return { shown, stored: shown, draft: written, change: z.optional(written), apart: false };
}

/** Optional in requests that create; `initial` when it is not sent. */
export function defaulted<Written extends z.ZodType, Shown extends Schema>(
  written: Written,
  initial: z.util.NoUndefined<z.output<Written>>,
  shown: Shown,
): FieldOf<Shown, Shown, z.ZodDefault<Written>, z.ZodOptional<Written>, false> {
  return { ...required(written, shown), draft: z._default(written, initial) };
}

/** Optional in requests that create. The schema `written` accepts undefined itself. */
export function optional<Written extends Schema, Shown extends Schema>(
  written: Written,
  shown: Shown,
): FieldOf<Shown, Shown, Written, Written, false> {
  return { shown, stored: shown, draft: written, change: written, apart: false };
}

/** Sent by requests that create, and not changed afterwards. */
export function fixed<
  Shown extends Schema,
  Stored extends Schema,
  Draft extends Schema | undefined,
  Apart extends boolean,
>(field: FieldOf<Shown, Stored, Draft, Schema, Apart>): FieldOf<Shown, Stored, Draft, NotWritable, Apart> {
  return { ...field, change: notWritable };
}

/** A field that is stored in another form than shown. */
export function apart<
  Shown extends Schema,
  Stored extends Schema,
  Draft extends Schema | undefined,
  Change extends Schema,
>(field: FieldOf<Shown, Stored, Draft, Change, false>): FieldOf<Shown, Stored, Draft, Change, true> {
  return { ...field, apart: true };
}

type Names<F extends Fields, Part extends keyof Field, Value> = {
  [Name in keyof F]: F[Name][Part] extends Value ? Name : never;
}[keyof F];

type ShapeOf<F extends Fields, Part extends keyof Field, Name extends keyof F> = {
  [Each in Name]: Extract<F[Each][Part], Schema>;
};

/** The stored type of a resource's fields. */
export type StoredFields<F extends Fields> = {
  -readonly [Name in Names<F, 'apart', false>]: z.output<F[Name]['stored']>;
};

type ShownApart<F extends Fields> = { [Name in Names<F, 'apart', true>]: z.output<F[Name]['shown']> };
type Shown<F extends Fields> = { -readonly [Name in keyof F]: z.output<F[Name]['shown']> };

export interface Resource<F extends Fields> {
  fields: F;
  /** The fields that clients write. */
  writable: Names<F, 'draft', Schema>[];
  /** The response schema. */
  response: z.ZodObject<ShapeOf<F, 'shown', keyof F>, z.core.$strict>;
  /** The body of requests that create. */
  draft: z.ZodObject<ShapeOf<F, 'draft', Names<F, 'draft', Schema>>>;
  /** The same, but fields of the service are refused instead of ignored. */
  strictDraft: Resource<F>['draft'];
  /** The body of requests that change: fields that are not sent stay. */
  writableChanges: z.ZodObject<ShapeOf<F, 'change', Names<F, 'draft', Schema>>>;
  /** The same, but fields of the service are refused instead of ignored. */
  changes: z.ZodObject<ShapeOf<F, 'change', keyof F>>;
  /** The response for an item; `rest` are the values that are not stored as shown. */
  present(item: StoredFields<F>, rest: ShownApart<F>): Shown<F>;
}

/** `id` is the schema's name in the OpenAPI document; `meta` adds to its description there. */
export function resource<const F extends Fields>(
  id: string,
  fields: F,
  meta: Omit<z.GlobalMeta, 'id'> = {},
): Resource<F> {
  const all = Object.entries(fields);
  const shape = (part: 'shown' | 'draft' | 'change', some = all) =>
    Object.fromEntries(some.map(([name, field]) => [name, field[part]]));
  const writable = all.filter(([, { draft }]) => draft !== undefined);
  const others = all.filter(([, { draft }]) => draft === undefined);
  const refused = Object.fromEntries(others.map(([name]) => [name, notWritable]));
  const present = (item: Record<string, unknown>, rest: Record<string, unknown>) => {
    const shown: Record<string, unknown> = {};
    for (const [name, { apart }] of all) shown[name] = apart ? rest[name] : item[name];
    return shown;
  };
  return {
    fields,
    writable: writable.map(([name]) => name),
    response: z.strictObject(shape('shown') as z.ZodRawShape).meta({ id, ...meta }),
    draft: z.object(shape('draft', writable) as z.ZodRawShape),
    strictDraft: z.object({ ...shape('draft', writable), ...refused } as z.ZodRawShape),
    writableChanges: z.object(shape('change', writable) as z.ZodRawShape),
    changes: z.object({ ...shape('change', writable), ...shape('change', others) } as z.ZodRawShape),
    present,
  } as unknown as Resource<F>;
}
