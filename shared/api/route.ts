import type * as z from 'zod';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Use } from '#shared/uses/kinds.ts';

/** One operation as data. The Lambda handler, the gateways, OpenAPI and the typed client all derive from it. */
export type Shape = Record<string, z.ZodType>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Which credentials an operation accepts (docs/specification/requests.md, "Access"). */
export type Access = 'read' | 'write' | 'session' | 'public';

/**
 * One path for each record type, `/{type}/{<type>_id}/<rest>`, all served by one Lambda function. `of_all`: about all
 * records of the type, `/{type}/<rest>`.
 */
export interface RecordPath<Type extends RecordType = RecordType> {
  types: readonly Type[];
  rest: string;
  of_all?: true;
}

/** A body that is not JSON of a schema. */
export interface Content {
  /** A media type, or a range of types when the handler chooses one. */
  content_type: string;
  description: string;
  /** Override or extend the common headers. */
  headers?: Record<string, string>;
}

/** What a handler returns when the content type varies. */
export interface TypedText {
  content_type: string;
  text: string;
  /** Besides those of the definition. */
  headers?: Record<string, string>;
}

/** The success response: the fields of the JSON body by status, `null` for no body. A redirect is content. */
export type Returns = Partial<Record<200 | 201 | 202 | 204, Shape | Content | null>> & { 302?: Content };

export interface Route<
  Path extends string | RecordPath = string | RecordPath,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Response extends Returns = Returns,
  Uses extends Use = Use,
  Auth extends Access = Access,
> {
  /** The one name of the operation: operationId, function suffix, client method. */
  name: string;
  method: Method;
  path: Path;
  access: Auth;
  summary: string;
  description?: string;
  query?: Query;
  body?: Body;
  /** Example values for the documentation. */
  examples?: { query?: Record<string, unknown>; body?: Record<string, unknown> };
  returns: Response;
  /** Codes besides those that every request can return. */
  errors?: readonly ErrorCode[];
  /** What it may touch. Its role, its variables and the libraries in its bundle follow from this (shared/uses). */
  uses: readonly Uses[];
  /** Accepts an `Idempotency-Key`: the handler adds the writes of `keep` to the transaction that creates. */
  idempotent?: true;
  /**
   * What it creates, changes or deletes can be retrieved, so the response has its ETag, and a change or a deletion
   * accepts `If-Match`.
   */
  versioned?: true;
  /** Responds 200 instead of 201 or 202 with a record that is there already: the handler returns `Existing`. */
  finds_existing?: true;
  /** Works for users who have not accepted the current terms yet. */
  before_terms?: true;
  /** A public operation that reads a credential when one is sent; a bad one is 401 `invalid_credentials`. */
  optional_credential?: true;
  /** Serves the static files of `ASSETS_DIR`. */
  assets?: true;
  /** Whatever body is sent is of any type, and not read: mail programs send a form. */
  any_body?: true;
  /** Its response can exceed the 6 MB that Lambda returns at once, so it is streamed (stream.ts). */
  streams?: true;
}

/** The fields of an omitted query or body. */
type NoFields = Record<never, never>;

export function route<
  const Path extends string | RecordPath,
  const Response extends Returns,
  const Uses extends Use,
  const Auth extends Access,
  const Query extends Shape = NoFields,
  const Body extends Shape = NoFields,
>(
  name: string,
  definition: Omit<Route<Path, Query, Body, Response, Uses, Auth>, 'name'>,
): Route<Path, Query, Body, Response, Uses, Auth> {
  return { name, ...definition };
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** The parameters of a path, without the record that it names. */
export type Params<Path> = Path extends string
  ? Record<ParameterNames<Path>, string>
  : Path extends { rest: infer Rest extends string }
    ? Record<ParameterNames<Rest>, string>
    : never;

/** The parameter that names a record of the type, for example `calendar_event_id`. */
function recordParameter(type: RecordType): string {
  return `${singular(type)}_id`;
}

/** The path of an operation that exists on several record types. */
export function onRecord<const Type extends RecordType, const Rest extends string>(
  types: readonly Type[],
  rest: Rest,
): RecordPath<Type> & { rest: Rest } {
  return { types, rest };
}

/** The path of an operation on all records of a type, for several types. */
export function onAllRecords<const Type extends RecordType, const Rest extends string>(
  types: readonly Type[],
  rest: Rest,
): RecordPath<Type> & { rest: Rest; of_all: true } {
  return { types, rest, of_all: true };
}

/** A path template, and its record type where there are several. */
export interface PathTemplate {
  template: string;
  record_type: RecordType | null;
}

export function pathTemplates(path: string | RecordPath): PathTemplate[] {
  if (typeof path === 'string') return [{ template: path, record_type: null }];
  return path.types.map((type) => ({
    template: path.of_all ? `/${type}/${path.rest}` : `/${type}/{${recordParameter(type)}}/${path.rest}`,
    record_type: type,
  }));
}

export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

export function isContent(response: Shape | Content | null | undefined): response is Content {
  return typeof (response as Content | null)?.content_type === 'string';
}

/** The one success status of an operation. */
export function successStatus(definition: Pick<Route, 'returns'>): number {
  return Number(Object.keys(definition.returns)[0]);
}
