import * as z from 'zod';
import { ApiError } from '#shared/errors.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { isKnown } from '#shared/keyed.ts';
import { shortened } from '#shared/shortened.ts';
import { type ApiEvent, callOf } from './call.ts';
import { isStrict, refuseIgnored, unknownKeys, unknownParameters } from './ignored.ts';
import { bodyText } from './negotiate.ts';
import { bodyParser, checkPathNames, explainWrapper, readJsonObject, readQuery } from './parse.ts';
import { readPath } from './read-path.ts';
import type { Route } from './route.ts';

type Values = Record<string, unknown>;

function queryReader({ query = {} }: Route): (event: ApiEvent, fields: Fields) => void {
  const schema = z.object(query);
  const known = Object.keys(query);
  const isOne = isKnown(query);
  const forwardOnly = 'next_cursor' in query && !('prev_cursor' in query);
  return (event, fields) => {
    const call = callOf(event);
    const sent = { ...event.multiValueQueryStringParameters };
    if (forwardOnly && 'prev_cursor' in sent) throw new ApiError('unsupported_cursor_direction');
    call.ignored.push(...unknownParameters(sent, known, isOne));
    if (known.length === 0) return;
    call.query = (parseShape(schema, readQuery(query, sent, fields), fields) ?? {}) as Values;
  };
}

/** Characters of a body; in a shorter one no list is long enough to be shortened. */
const LONG = 10_000;

function bodyReader(definition: Route): (event: ApiEvent, fields: Fields) => void {
  const body = bodyParser(definition.body ?? {});
  return (event, fields) => {
    const call = callOf(event);
    const text = bodyText(event);
    const whole = readJsonObject(text);
    const sent = text === null || text.length < LONG ? whole : (shortened(body.schema, whole) as Values);
    checkPathNames(sent, call.params, fields);
    explainWrapper(body, sent, fields);
    call.ignored.push(...unknownKeys(body, sent, call.params));
    call.body = (parseShape(body.schema, sent, fields, body.wrapper) ?? {}) as Values;
  };
}

/** Whether the operation reads what comes as a body. */
export const hasBody = ({ httpMethod }: ApiEvent, { any_body }: Pick<Route, 'any_body'>): boolean =>
  httpMethod !== 'GET' && httpMethod !== 'HEAD' && !any_body;

/** Reads path, query and body into the call, or reports all bad fields at once. */
export function requestReader(definition: Route): (event: ApiEvent) => void {
  const path = readPath(definition);
  const query = queryReader(definition);
  const body = bodyReader(definition);
  return (event) => {
    path(event);
    const fields = new Fields();
    query(event, fields);
    if (hasBody(event, definition)) body(event, fields);
    if (isStrict(event)) refuseIgnored(callOf(event).ignored, fields);
    fields.throwIfAny();
  };
}
