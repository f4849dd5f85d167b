import { recordNotFound } from '#shared/errors.ts';
import { isUuid } from '#shared/ids.ts';
import type { RecordType } from '#shared/table/keys.ts';
import { type ApiEvent, callOf } from './call.ts';
import { pathParameters, pathTemplates, type Route } from './route.ts';

const variables = /\{[^}]*\}/g;

interface Parameters {
  record_type: RecordType | null;
  /** As documented. */
  names: string[];
  /** As the gateway names them. */
  sent: string[];
}

/**
 * Reads the path's parameters by position and gives them their documented names: at one position the gateway uses the
 * same name in all paths (API Gateway allows no siblings with different names).
 */
export function readPath(definition: Route): (event: ApiEvent) => void {
  const templates = new Map(
    pathTemplates(definition.path).map(({ template, record_type }) => [
      template.replaceAll(variables, '{}'),
      { record_type, names: pathParameters(template) },
    ]),
  );
  const parameters = new Map<string, Parameters>();
  const parametersOf = (resource: string): Parameters => {
    const path = templates.get(resource.replaceAll(variables, '{}'));
    if (!path) throw new Error(`${definition.name} was called for ${resource}`);
    const read = { ...path, sent: Array.from(resource.matchAll(variables), ([name]) => name.slice(1, -1)) };
    parameters.set(resource, read);
    return read;
  };
  return (event) => {
    const call = callOf(event);
    const { names, sent, record_type } = parameters.get(event.resource) ?? parametersOf(event.resource);
    names.forEach((name, i) => {
      const value = event.pathParameters?.[sent[i] as string] ?? '';
      const isId = name === 'id' || name.endsWith('_id');
      if (isId && !isUuid(value)) throw recordNotFound();
      call.params[name] = isId ? value.toLowerCase() : value;
    });
    if (record_type) call.record = { type: record_type, id: call.params[names[0] ?? ''] ?? '' };
  };
}
