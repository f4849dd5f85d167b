import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { isKeyed } from '#shared/keyed.ts';
import { uuid } from '#shared/values.ts';
import { INTERFACE_VERSION } from '#shared/version.ts';
import type { Operation } from './catalogue.ts';
import { conditionHeader, isRetrieve } from './etag.ts';
import { familyDescriptions } from './families.ts';
import { idempotencyHeader } from './idempotency.ts';
import { acceptsIfMatch, ifMatchHeader } from './if-match.ts';
import { conditions } from './openapi-conditions.ts';
import { describeDocument } from './openapi-descriptions.ts';
import { errorComponents, errorResponses, successHeaders } from './openapi-errors.ts';
import { exampleOf, type JsonSchema, lookAhead, mergeTexts, type Schemas, tidy } from './openapi-examples.ts';
import { Names } from './openapi-names.ts';
import {
  type Access,
  isContent,
  type PathTemplate,
  pathParameters,
  pathTemplates,
  type Route,
  successStatus,
} from './route.ts';
import { upserts } from './upsert.ts';

/** The catalogue as OpenAPI 3.1: https://spec.openapis.org/oas/v3.1.1.html */

const accessText: Record<Access, string> = {
  read: 'Access: `read`. Any key, or a session.',
  write: 'Access: `write`. A read_write key, or a session.',
  session: 'Access: `session`. The token of a session; no API key is accepted.',
  public: 'Access: `public`. No authentication.',
};

const statusText: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; the work goes on',
  204: 'Done; no body',
  302: 'Found elsewhere',
};

/**
 * An operation of several record types is documented once for each type: `createComment` as `createCommentOnContact`,
 * `listDeletions` as `listDeletionsOfContacts`.
 */
export function operationId(name: string, path: PathTemplate): string {
  if (!path.record_type) return name;
  const ofAll = pathParameters(path.template).length === 0;
  const words = (ofAll ? path.record_type : singular(path.record_type)).split('_');
  const subject = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return `${name}${ofAll ? 'Of' : 'On'}${subject}`;
}

function pathParameter(name: string): z.ZodType {
  return name === 'id' || name.endsWith('_id') ? uuid : z.string();
}

function successResponse(definition: Route) {
  const returned = Object.values(definition.returns)[0];
  const status = successStatus(definition);
  const content = isContent(returned)
    ? {
        [returned.content_type]: {
          schema: {
            type: returned.content_type === 'application/json' ? ('object' as const) : ('string' as const),
          },
        },
      }
    : returned
      ? { 'application/json': { schema: z.strictObject(returned) } }
      : undefined;
  return {
    description: isContent(returned) ? returned.description : (statusText[status] as string),
    headers: successHeaders(definition) as never,
    ...(content ? { content } : {}),
  };
}

function requestBody({ body }: Route): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (!body) return {};
  const schema = z.object(body);
  const required = !z.safeParse(schema, {}).success;
  return { requestBody: { required, content: { 'application/json': { schema } } } };
}

/**
 * Parameters with keys are told in words: OpenAPI Generator 7 makes Java that does not compile of a `deepObject` whose keys
 * are not known.
 */
const keyedText = ([name, schema]: [string, z.ZodType]) =>
  `\`${name}[key]\`: ${z.globalRegistry.get(schema)?.description}.`;

function queryOf({ query = {} }: Route) {
  const all = Object.entries(query as Record<string, z.ZodType>);
  const plain = all.filter(([, schema]) => !isKeyed(schema));
  return {
    text: all
      .filter(([, schema]) => isKeyed(schema))
      .map(keyedText)
      .join(' '),
    params: plain.length > 0 ? { query: z.object(Object.fromEntries(plain)) } : {},
  };
}

function describe({ family, definition }: Operation, path: PathTemplate): ZodOpenApiOperationObject {
  const names = pathParameters(path.template);
  const parameters = Object.fromEntries(names.map((name) => [name, pathParameter(name)]));
  const query = queryOf(definition);
  return {
    operationId: operationId(definition.name, path),
    tags: [family],
    summary: definition.summary,
    description: [definition.description, query.text, accessText[definition.access]]
      .filter(Boolean)
      .join('\n\n'),
    ...(definition.access === 'public' ? { security: [] } : {}),
    requestParams: {
      ...(names.length > 0 ? { path: z.object(parameters) } : {}),
      ...query.params,
      ...(definition.idempotent ? { header: z.object(idempotencyHeader) } : {}),
      ...(isRetrieve(definition) ? { header: z.object(conditionHeader) } : {}),
      ...(acceptsIfMatch(definition) ? { header: z.object(ifMatchHeader) } : {}),
    },
    ...requestBody(definition),
    responses: {
      [String(successStatus(definition))]: successResponse(definition),
      ...(upserts(definition)
        ? { 200: { ...successResponse(definition), description: 'Changed: the record was there' } }
        : {}),
      ...(definition.finds_existing
        ? { 200: { ...successResponse(definition), description: 'Unchanged: the record was there' } }
        : {}),
      ...(isRetrieve(definition) ? { 304: { description: 'The record is as `If-None-Match` has it' } } : {}),
      ...(errorResponses(definition) as Record<string, never>),
    } as ZodOpenApiOperationObject['responses'],
    'x-access': definition.access,
    'x-operation': definition.name,
  };
}

function pathsOf(operations: Operation[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations)
    for (const path of pathTemplates(operation.definition.path))
      (paths[path.template] ??= {})[operation.definition.method.toLowerCase()] = describe(operation, path);
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Media {
  schema?: JsonSchema;
  example?: unknown;
}

export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  description: string;
  security?: object[];
  'x-access': Access;
  'x-operation': string;
  parameters?: { in: string; name: string; description?: string; schema: JsonSchema; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}

export interface OpenApiDocument {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Schemas;
    examples: Record<string, { value: unknown }>;
    responses: Record<
      string,
      { content: { 'application/json': { examples: Record<string, { $ref: string }> } } }
    >;
  };
}

/** The bodies of an operation, of requests and of responses. */
function bodiesOf(documented: DocumentedOperation): { media: Media; kind: 'Request' | 'Response' }[] {
  const request = documented.requestBody?.content['application/json'];
  const responses = Object.values(documented.responses).map(({ content }) => content?.['application/json']);
  return [
    ...(request ? [{ media: request, kind: 'Request' as const }] : []),
    ...responses.flatMap((media) => (media ? [{ media, kind: 'Response' as const }] : [])),
  ];
}

function nameBodies({ paths, components }: OpenApiDocument): void {
  const names = new Names(components.schemas);
  for (const documented of Object.values(paths).flatMap(Object.values<DocumentedOperation>))
    for (const { media, kind } of bodiesOf(documented))
      if (media.schema) media.schema = names.body(media.schema, documented['x-operation'], kind);
}

function addExamples(documented: DocumentedOperation, definition: Route, schemas: Schemas): void {
  const { examples } = definition;
  for (const parameter of documented.parameters ?? [])
    if (parameter.in === 'query' && examples?.query?.[parameter.name] !== undefined)
      parameter.example = examples.query[parameter.name];
  const request = documented.requestBody?.content['application/json'];
  if (request) request.example = examples?.body ?? exampleOf(request.schema ?? {}, schemas);
  const response = documented.responses[String(successStatus(definition))]?.content?.['application/json'];
  if (response && !isContent(Object.values(definition.returns)[0]))
    response.example = exampleOf(response.schema ?? {}, schemas);
}

/** What holds for all operations. */
const about = [
  "A team's contacts, email threads, comments, tags and notifications.",
  'Branch on `error.code`; the page at `error.doc_url` explains it, and `error.request_id` names the request for ' +
    'support.',
  'Responses may grow at any time: ignore fields, block types and other values that you do not know.',
  'Parameters and body keys that an operation does not know are ignored; the response names them in ' +
    '`Ignored-Fields`, each with the nearest known name. With the header `Prefer: handling=strict` they are a 400 ' +
    '`invalid_request` instead, and the response has `Preference-Applied: handling=strict`.',
].join('\n\n');

export function openApiDocument(operations: Operation[]): OpenApiDocument {
  const families = [...new Set(operations.map(({ family }) => family))];
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Workspace API',
        version: INTERFACE_VERSION,
        description: about,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '.', description: 'Where this document is served' }],
      security: [{ bearer: [] }],
      tags: families.map((name) => ({ name, description: familyDescriptions[name] as string })),
      paths: pathsOf(operations),
      components: {
        ...(errorComponents(operations.map(({ definition }) => definition)) as object),
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key (`wsk_live_...`) or the token of a session (`wsk_session_...`).',
          },
        },
      },
    },
    { override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema) },
  ) as unknown as OpenApiDocument;
  nameBodies(document);
  for (const [name, condition] of Object.entries(conditions))
    Object.assign(document.components.schemas[name] ?? {}, condition);
  describeDocument(document);
  lookAhead(document.components.schemas);
  for (const { parameters = [] } of Object.values(document.paths).flatMap(Object.values<DocumentedOperation>))
    for (const { schema } of parameters) mergeTexts(schema, document.components.schemas);
  const definitions = new Map(operations.map(({ definition }) => [definition.name, definition]));
  for (const methods of Object.values(document.paths))
    for (const documented of Object.values(methods))
      addExamples(
        documented,
        definitions.get(documented['x-operation']) as Route,
        document.components.schemas,
      );
  return document;
}
