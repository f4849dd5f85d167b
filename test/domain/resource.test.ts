import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  apart,
  defaulted,
  derived,
  given,
  narrower,
  optional,
  required,
  resource,
} from '#shared/resource.ts';

const things = resource(
  'ThingOfThisTest',
  {
    id: given(z.string()),
    owner_id: narrower(z.string().nullable(), z.string()),
    name: required(z.string(), z.string()),
    color: defaulted(z.string().nullable(), null, z.string().nullable()),
    note: optional(z.string().nullish(), z.string().nullable()),
    settings: apart(required(z.string(), z.string())),
    count: derived(z.int()),
  },
  { example: { id: '1' } },
);

describe('a list of fields', () => {
  it('gives the record its fields in their order, its name and its example', () => {
    expect(Object.keys(things.response.shape)).toEqual(Object.keys(things.fields));
    expect(things.response.meta()).toMatchObject({ id: 'ThingOfThisTest', example: { id: '1' } });
  });

  it('gives drafts what clients write, with its defaults', () => {
    expect(things.writable).toEqual(['name', 'color', 'note', 'settings']);
    expect(things.draft.parse({ name: 'a', settings: 's' })).toEqual({
      name: 'a',
      color: null,
      settings: 's',
    });
    expect(things.draft.safeParse({ settings: 's' }).success).toBe(false);
  });

  it('gives changes what clients write, all of it optional and without defaults', () => {
    for (const changes of [things.changes, things.writableChanges]) expect(changes.parse({})).toEqual({});
  });

  it.each(['id', 'owner_id', 'count'])('refuses or ignores %s in changes', (name) => {
    expect(things.changes.safeParse({ [name]: 'x' }).success).toBe(false);
    expect(things.writableChanges.parse({ [name]: 'x' })).toEqual({});
  });

  it('presents what is stored as it is, and the rest as it is given', () => {
    const stored = { id: '1', owner_id: 'o', name: 'a', color: null, note: null };
    // Attributes that are no fields stay inside, and so does the stored form of what is stored apart.
    const item = { ...stored, settings: 'as stored', PK: 'secret' };
    const shown = things.present(item, { settings: 's', count: 2 });
    expect(shown).toEqual({ ...stored, settings: 's', count: 2 });
    expect(things.response.parse(shown)).toEqual(shown);
  });
});
