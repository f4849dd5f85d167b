import type { Operation } from '#shared/api/catalogue.ts';
import { openApiDocument } from '#shared/api/openapi.ts';
import { pathTemplates } from '#shared/api/route.ts';
import { notificationEvents } from '#shared/domain/collaboration/notifications/event.ts';
import { operations } from '../../functions/catalogue.ts';

/** The lists of the catalogue, as the demo has to show them. */

export interface List {
  operation: string;
  template: string;
  /** What the path names, for example `thread`; undefined for a list of the account. */
  of: string | undefined;
  access: string;
  /** Parameters that make another list, with their values. */
  slices: Record<string, string[]>;
}

/** Parameters whose values people know as lists of their own: tabs, folders, inboxes. */
const SLICING = ['slice', 'status', 'scope', 'category', 'agent_slug'];

const { paths } = openApiDocument(operations);

function slicesOf({ name }: Operation, template: string): List['slices'] {
  const parameters = paths[template]?.get?.parameters ?? [];
  const known = parameters.flatMap(({ name: parameter, schema }) => {
    const values = (schema as { enum?: string[] }).enum;
    return SLICING.includes(parameter) && values ? [[parameter, values] as const] : [];
  });
  // The slice of notifications may name several events, so it is no enum.
  const events = name === 'listNotifications' ? { slice: [...notificationEvents] } : {};
  return { ...Object.fromEntries(known), ...events };
}

export const lists: List[] = operations
  .filter(({ name }) => /^list[A-Z]/.test(name))
  .flatMap((operation) =>
    pathTemplates(operation.definition.path).map(({ template }) => ({
      operation: operation.name,
      template,
      of: /\{(\w+)_id\}/.exec(template)?.[1],
      access: operation.definition.access,
      slices: slicesOf(operation, template),
    })),
  );
