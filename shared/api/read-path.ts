import { recordNotFound } from '#shared/errors.ts';
import { isUuid } from '#shared/ids.ts';
import { type ApiEvent, callOf } from './call.ts';
import { pathParameters, pathTemplates, type Route } from './route.ts';

const variables = /\{[^}]*\}/g;

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
  return (event) => {
    const call = callOf(event);
    const path = templates.get(event.resource.replaceAll(variables, '{}'));
    if (!path) throw new Error(`${definition.name} was called for ${event.resource}`);
    const sent = [...event.resource.matchAll(variables)].map((match) => match[0].slice(1, -1));
    path.names.forEach((name, i) => {
      const value = event.pathParameters?.[sent[i] as string] ?? '';
      const isId = name === 'id' || name.endsWith('_id');
      if (isId && !isUuid(value)) throw recordNotFound();
      call.params[name] = isId ? value.toLowerCase() : value;
    });
    if (path.record_type)
      call.record = { type: path.record_type, id: call.params[path.names[0] as string] as string };
  };
}
