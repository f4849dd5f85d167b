import { beforeAll, expect, it } from 'vitest';

/** What the documentation page shows in the place of references; test/browser compares it with Swagger UI's own. */

type Resolve = (document: object, path: string[], options: { baseDoc: string }) => { spec: unknown };

let resolve: Resolve;
beforeAll(async () => {
  const script = '../../../infra/docs/browser/resolve.js';
  await import(script);
  resolve = (globalThis as unknown as { resolveSubtree: Resolve }).resolveSubtree;
});

const schemas = {
  Name: { type: 'string' },
  Person: { properties: { name: { $ref: '#/components/schemas/Name', description: 'What we call her.' } } },
  'a/b~c': { type: 'number' },
  Reply: { properties: { replies: { items: { $ref: '#/components/schemas/Reply' } } } },
};
const resolved = (schema: object) =>
  resolve({ at: schema, components: { schemas } }, ['at'], { baseDoc: 'openapi.json' }).spec;
const named = (name: string) => `openapi.json#/components/schemas/${name}`;

it('puts what a reference names in its place, with what stands beside it', () => {
  expect(resolved({ anyOf: [{ $ref: '#/components/schemas/Person' }, null, true] })).toEqual({
    anyOf: [
      {
        properties: { name: { type: 'string', description: 'What we call her.', $$ref: named('Name') } },
        $$ref: named('Person'),
      },
      null,
      true,
    ],
  });
});

it('reads escaped names', () => {
  expect(resolved({ $ref: '#/components/schemas/a~1b~0c' })).toEqual({
    type: 'number',
    $$ref: named('a~1b~0c'),
  });
});

it('leaves the reference of a schema to itself', () => {
  expect(resolved({ $ref: '#/components/schemas/Reply' })).toEqual({
    properties: { replies: { items: { $ref: '#/components/schemas/Reply' } } },
    $$ref: named('Reply'),
  });
});

it('has nothing at a path that the document does not have', () => {
  expect(resolve({}, ['components', 'securitySchemes'], { baseDoc: '' }).spec).toBeUndefined();
});
