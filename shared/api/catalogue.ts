import type { Handler } from './handle.ts';
import { type PathTemplate, pathTemplates, type Route } from './route.ts';

/** The catalogue as the rest of the code reads it: one entry for each operation. */
export interface Operation {
  /** Folder of `functions/`, for example `api_keys`. */
  family: string;
  name: string;
  definition: Route;
  handler: Handler;
}

/** What `functions/<family>/index.ts` exports: a module for each operation. */
type OperationModule = Record<string, unknown>;
export type Families = Record<string, Record<string, OperationModule>>;

export function operationsOf(families: Families): Operation[] {
  return Object.entries(families).flatMap(([family, modules]) =>
    Object.entries(modules).map(([name, module]) => ({
      family,
      name,
      definition: module[name] as Route,
      handler: module.handler as Handler,
    })),
  );
}

/** The file of an operation, for example `functions/tags/create-tag.ts`. */
export function operationFile(operation: Pick<Operation, 'family' | 'name'>): string {
  return `functions/${operation.family.replaceAll('_', '-')}/${kebab(operation.name)}.ts`;
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** One method on one path of the gateway. */
export interface Endpoint extends PathTemplate {
  operation: Operation;
  method: string;
  /** The path with the gateway's own variable names. */
  resource: string;
}

/**
 * The gateway's name of a path: variables are called `id`, `id2`, ... by position, because API Gateway requires one
 * name for the same position in all paths (`/threads/{id}` and `/threads/{thread_id}/flag` cannot both exist).
 */
export function resourceOf(template: string): string {
  let position = 0;
  return template.replaceAll(/\{\w+\}/g, () => (++position === 1 ? '{id}' : `{id${position}}`));
}

/** Every method on every path; HEAD is served as GET. */
export function endpointsOf(operations: Operation[]): Endpoint[] {
  return operations.flatMap((operation) => {
    const { method, path } = operation.definition;
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    return pathTemplates(path).flatMap((template) =>
      methods.map((each) => ({
        ...template,
        operation,
        method: each,
        resource: resourceOf(template.template),
      })),
    );
  });
}

/** The methods of each resource, for the Allow header. */
export function methodsByResource(endpoints: Endpoint[]): Record<string, string[]> {
  const methods: Record<string, string[]> = {};
  for (const { resource, method } of endpoints) (methods[resource] ??= []).push(method);
  return methods;
}
