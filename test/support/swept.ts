import { randomUUID } from 'node:crypto';
import { openApiDocument } from '#shared/api/openapi.ts';
import type { Route } from '#shared/api/route.ts';
import { operations } from '../../functions/catalogue.ts';
import type { Records } from './records.ts';

/** Every documented path with its own example, for rules of every operation. */
export interface Sweep {
  name: string;
  definition: Route;
  method: string;
  template: string;
  access: string;
  body: unknown;
  /** Names of the path's ids in their order. */
  ids: string[];
}

const isId = (name: string) => name === 'id' || name.endsWith('_id');

const definitions = new Map(operations.map(({ name, definition }) => [name, definition]));

export const sweeps: Sweep[] = Object.entries(openApiDocument(operations).paths).flatMap(
  ([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${operation.operationId}: ${method.toUpperCase()} ${template}`,
      definition: definitions.get(operation['x-operation']) as Route,
      method: method.toUpperCase(),
      template,
      access: operation['x-access'],
      body: operation.requestBody?.content['application/json']?.example,
      ids: [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string).filter(isId),
    })),
);

/** Those that need a credential. */
export const closed = sweeps.filter(({ access }) => access !== 'public');

/** Of those, what is about a record. */
export const withIds = closed.filter(({ ids }) => ids.length > 0);

/** The type of an id in a path: `contact_id` is of contacts, `id` of the segment before it. */
function typeOf(template: string, name: string): string {
  if (name !== 'id') return `${name.slice(0, -'_id'.length)}s`.replace(/xs$/, 'xes');
  return /([a-z_]+)\/\{id\}/.exec(template)?.[1] as string;
}

export const typesOf = ({ template, ids }: Sweep): string[] => ids.map((name) => typeOf(template, name));

/** Those of these records, in the order of the path. */
export const idsAmong = (sweep: Sweep, records: Records): string[] =>
  typesOf(sweep).map((type) => records[type] as string);

/** Of records that are not there. */
export const unknownIds = ({ ids }: Sweep): string[] => ids.map(() => randomUUID());

/** The path with these ids, in their order. */
export function pathWith({ template }: Pick<Sweep, 'template'>, ids: readonly string[]): string {
  let next = 0;
  return template.replaceAll(/\{(\w+)\}/g, (_, name) => (isId(name) ? (ids[next++] as string) : 'x'));
}
