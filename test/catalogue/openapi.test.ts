import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { errorCodesOf } from '#shared/api/error-codes.ts';
import { isRetrieve } from '#shared/api/etag.ts';
import { acceptsIfMatch } from '#shared/api/if-match.ts';
import { openApiDocument, operationId } from '#shared/api/openapi.ts';
import { isContent, pathTemplates, successStatus } from '#shared/api/route.ts';
import { errorCatalogue } from '#shared/errors.ts';
import { operations } from '../../functions/catalogue.ts';

const document = openApiDocument(operations);

const documented = operations.flatMap((operation) =>
  pathTemplates(operation.definition.path).map((path) => ({
    id: operationId(operation.name, path),
    definition: operation.definition,
    described: document.paths[path.template]?.[operation.definition.method.toLowerCase()],
  })),
);

describe('the OpenAPI document', () => {
  it.each(documented)('$id: examples match the schemas of requests and responses', (each) => {
    const { definition, described } = each;
    const { body, query, returns, examples } = definition;
    const response = Object.values(returns)[0];
    if (body) {
      const sent = described?.requestBody?.content['application/json']?.example;
      expect(z.object(body).safeParse(sent).error).toBeUndefined();
    }
    if (query && examples?.query) expect(z.object(query).safeParse(examples.query).error).toBeUndefined();
    if (response && !isContent(response)) {
      const shown = described?.responses[String(successStatus(definition))]?.content?.['application/json'];
      expect(z.strictObject(response).safeParse(shown?.example).error).toBeUndefined();
    }
  });

  it.each(documented)('$id: shows text that people would write', ({ described }) => {
    // What a text without any example would show.
    const bodies = [described?.requestBody, described?.responses];
    expect(JSON.stringify(bodies)).not.toMatch(/(?<!"type"|"const"):"text"|\["text"\]/);
  });

  it.each(documented)('$id: lists every error code under its status, with an example', (each) => {
    for (const code of errorCodesOf(each.definition)) {
      const { status, message } = errorCatalogue[code];
      const name = each.described?.responses[String(status)]?.$ref?.split('/').at(-1) as string;
      const shared = document.components.responses[name];
      expect(shared?.content['application/json'].examples).toHaveProperty(code);
      expect(document.components.examples[code]?.value).toMatchObject({ error: { code, message } });
    }
  });

  it.each(documented)('$id: says who may call it', ({ definition, described }) => {
    expect(described).toMatchObject({ 'x-access': definition.access });
    expect(described?.description).toContain(`Access: \`${definition.access}\``);
    expect(described?.security).toEqual(definition.access === 'public' ? [] : undefined);
  });

  it.each(documented)(
    '$id: shows the headers Idempotency-Key, If-Match and If-None-Match where they are accepted',
    (each) => {
      const headers = (each.described?.parameters ?? []).filter((parameter) => parameter.in === 'header');
      const { definition } = each;
      const expected = [
        ...(definition.idempotent ? ['Idempotency-Key'] : []),
        ...(isRetrieve(definition) ? ['If-None-Match'] : []),
        ...(acceptsIfMatch(definition) ? ['If-Match'] : []),
      ];
      expect(headers.map(({ name }) => name)).toEqual(expected);
    },
  );

  it('describes its families', () => {
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
  });

  it('gives the version of the specification', () => {
    expect(document).toMatchObject({ openapi: '3.1.1', info: { version: '1.0.0' } });
  });
});
