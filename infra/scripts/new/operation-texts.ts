import type { OperationNames, Verb } from './names.ts';

/**
 * The text of a new operation by its verb. `domain` is the family's folder in the domain; undefined when it has none.
 */

const head = (names: OperationNames, imports: string[]) =>
  `${[
    "import { handle } from '#shared/api/handle.ts';",
    "import { route } from '#shared/api/route.ts';",
    ...imports,
  ].join('\n')}

export const ${names.name} = route('${names.name}', {`;

const path = ({ family, verb, action }: OperationNames) =>
  ({
    create: `/${family}`,
    list: `/${family}`,
    retrieve: `/${family}/{id}`,
    update: `/${family}/{id}`,
    delete: `/${family}/{id}`,
    do: `/${family}/{id}/${action}`,
  })[verb];

const methods: Record<Verb, string> = {
  create: 'POST',
  list: 'GET',
  retrieve: 'GET',
  update: 'PATCH',
  delete: 'DELETE',
  do: 'POST',
};

export const endpointOf = (names: OperationNames) => `${methods[names.verb]} ${path(names)}`;

const opening = (names: OperationNames) => `  method: '${methods[names.verb]}',
  path: '${path(names)}',
  access: '${methods[names.verb] === 'GET' ? 'read' : 'write'}',
  summary: '${names.summary}',`;

const LISTS = "import { recordLists } from '#shared/composition/record-lists.ts';";

const written: Record<Exclude<Verb, 'do'>, (names: OperationNames, domain: string) => string> = {
  create: (n, domain) => `${head(n, [
    LISTS,
    `import { create${n.type} as create } from '${domain}/create.ts';`,
    `import { ${n.variable}Draft, ${n.variable}Schema, present${n.type} } from '${domain}/${n.file}.ts';`,
  ])}
${opening(n)}
  body: { ${n.one}: ${n.variable}Draft },
  returns: { 201: { ${n.one}: ${n.variable}Schema } },
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  ${n.name},
  async ({ ctx, body }) => ({ ${n.one}: present${n.type}(await create(ctx, body.${n.one})) }),
  recordLists,
);
`,
  list: (n, domain) => `${head(n, [
    "import { recordPage } from '#shared/api/record-page.ts';",
    "import { forwardCursor, sortedCursorCollection } from '#shared/api/shapes.ts';",
    "import { sorting } from '#shared/domain/collaboration/record-lists/filters.ts';",
    "import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';",
    `import { ${n.variable}Criteria, ${n.variable}Filters } from '${domain}/filters.ts';`,
    `import { ${n.variable}Index } from '${domain}/lists.ts';`,
    `import { ${n.variable}Schema, present${n.type} } from '${domain}/${n.file}.ts';`,
  ])}
${opening(n)}
  query: { ...${n.variable}Filters, ...sorting(['name', 'created_at', 'updated_at']), ...forwardCursor },
  returns: { 200: { collection: sortedCursorCollection(${n.variable}Schema) } },
  errors: ['record_not_found'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(${n.name}, async ({ ctx, query }) => {
  const tags = tagDictionary(ctx.table, ctx.caller.account.id);
  const collection = await recordPage(ctx, {
    index: ${n.variable}Index,
    query,
    criteria: () => ${n.variable}Criteria(ctx, query, tags),
    present: async (records) => records.map(present${n.type}),
  });
  return { collection };
});
`,
  retrieve: (n, domain) => `${head(n, [
    `import { ${n.variable}Schema, present${n.type} } from '${domain}/${n.file}.ts';`,
    `import { require${n.type} } from '${domain}/policy.ts';`,
  ])}
${opening(n)}
  returns: { 200: { ${n.one}: ${n.variable}Schema } },
  uses: ['table:read'],
});

export const handler = handle(${n.name}, async ({ ctx, params }) => ({
  ${n.one}: present${n.type}(await require${n.type}(ctx, params.id)),
}));
`,
  update: (n, domain) => `${head(n, [
    LISTS,
    `import { ${n.variable}Changes, ${n.variable}Schema, present${n.type} } from '${domain}/${n.file}.ts';`,
    `import { update${n.type} as update } from '${domain}/update.ts';`,
  ])}
${opening(n)}
  body: { ${n.one}: ${n.variable}Changes },
  returns: { 200: { ${n.one}: ${n.variable}Schema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  ${n.name},
  async ({ ctx, params, body }) => ({ ${n.one}: present${n.type}(await update(ctx, params.id, body.${n.one})) }),
  recordLists,
);
`,
  delete: (n, domain) => `${head(n, [
    LISTS,
    `import { delete${n.type} as remove } from '${domain}/delete.ts';`,
  ])}
${opening(n)}
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
});

export const handler = handle(
  ${n.name},
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  recordLists,
);
`,
};

/** Works, and does nothing yet. */
function empty(n: OperationNames): string {
  if (n.verb === 'delete')
    return `${head(n, [])}
${opening(n)}
  returns: { 204: null },
  uses: [],
});

export const handler = handle(${n.name}, () => {});
`;
  return `${head(n, ["import { ok, okResponse } from '#shared/api/shapes.ts';"])}
${opening(n)}
  returns: { ${n.verb === 'create' ? 201 : 200}: okResponse },
  uses: [],
});

export const handler = handle(${n.name}, () => ok);
`;
}

export function operationText(names: OperationNames, domain: string | undefined): string {
  return names.verb === 'do' || domain === undefined ? empty(names) : written[names.verb](names, domain);
}
