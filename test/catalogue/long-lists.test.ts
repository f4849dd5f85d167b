import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { unknownKeys } from '#shared/api/ignored.ts';
import { bodyParser } from '#shared/api/parse.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { shortened } from '#shared/shortened.ts';
import { operations } from '../../functions/catalogue.ts';

/** A list or record of a body with very many bad elements is refused without looking at most of them. */

/** The longest lists of a request have hundreds of elements; a transcript has as many segments as a body has room for. */
const mostRead = (path: string[]) => (path.at(-1) === 'segments' ? 150_000 : 5_000);
const sentTo = (path: string[]) => Math.min(300_000, 10 * mostRead(path));

type Schema = z.core.$ZodType;
interface Crowd {
  path: string[];
  kind: 'array' | 'record';
}

/** All lists and records in a schema. In a path, `0` is an element of a list, and `each` one of a record. */
function* crowds(schema: Schema, path: string[] = []): Generator<Crowd> {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'object')
    for (const [name, inner] of Object.entries(def.shape)) yield* crowds(inner, [...path, name]);
  else if (def.type === 'array' || def.type === 'record') {
    yield { path, kind: def.type };
    yield* crowds(def.type === 'array' ? def.element : def.valueType, [
      ...path,
      def.type === 'array' ? '0' : 'each',
    ]);
  } else if (def.type === 'union') for (const inner of def.options) yield* crowds(inner, path);
  else if (def.type === 'pipe')
    yield* crowds((def.in as Schema) instanceof z.ZodTransform ? def.out : def.in, path);
  else if ('innerType' in def) yield* crowds(def.innerType as Schema, path);
  else
    expect([
      'string',
      'number',
      'boolean',
      'enum',
      'literal',
      'null',
      'unknown',
      'never',
      'transform',
    ]).toContain(def.type);
}

/** Bad elements, which count how often one is read. */
function crowded({ path, kind }: Crowd) {
  const elements = Array.from({ length: sentTo(path) }, () => ({}));
  const target = kind === 'array' ? elements : Object.fromEntries(elements.map((each, i) => [`k${i}`, each]));
  let reads = 0;
  const sent = new Proxy(target, {
    get: (_, name) => {
      if (typeof name === 'string' && /^k?\d+$/.test(name)) reads++;
      return Reflect.get(target, name);
    },
  });
  return { sent, reads: () => reads };
}

const swept = operations.flatMap(({ name, definition: { body = {} } }) =>
  [...crowds(z.object(body))].map((crowd) => ({ ...crowd, name, body, field: crowd.path.join('.') })),
);

describe('lists and records of requests', () => {
  it('are found', () => {
    expect(swept.length).toBeGreaterThan(60);
  });

  it.each(swept)('$name: $field with $kind of any length', ({ body, path, kind }) => {
    const { sent, reads } = crowded({ path, kind });
    const whole = path.reduceRight<object>(
      (inner, name) => (name === '0' ? [inner] : { [name]: inner }),
      sent,
    );
    const parser = bodyParser(body);
    const fields = new Fields();
    const read = shortened(parser.schema, whole) as object;
    unknownKeys(parser, read, {});
    parseShape(parser.schema, read, fields, parser.wrapper);
    expect(Object.keys(fields.found).length).toBeGreaterThan(0);
    expect(reads()).toBeLessThan(mostRead(path));
  });
});
