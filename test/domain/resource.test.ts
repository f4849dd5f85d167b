import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  apart,
  defaulted,
  derived,
  fixed,
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
    kind: fixed(defaulted(z.string(), 'plain', z.string())),
    count: derived(z.int()),
  },
  { example: { id: '1' } },
);

describe('a list of fields', () => {
  it('gives the schema its fields in order, its name and its example', () => {
    expect(Object.keys(things.response.shape)).toEqual(Object.keys(things.fields));
    expect(things.response.meta()).toMatchObject({ id: 'ThingOfThisTest', example: { id: '1' } });
  });

  it('gives drafts the writable fields, with defaults', () => {
    expect(things.writable).toEqual(['name', 'color', 'note', 'settings', 'kind']);
    expect(things.draft.parse({ name: 'a', settings: 's' })).toEqual({
      name: 'a',
      color: null,
      settings: 's',
      kind: 'plain',
    });
    expect(things.draft.safeParse({ settings: 's' }).success).toBe(false);
  });

  it('gives changes the writable fields, all optional and without defaults', () => {
    for (const changes of [things.changes, things.writableChanges]) expect(changes.parse({})).toEqual({});
  });

  it.each(['id', 'owner_id', 'count'])('refuses or ignores %s in changes and drafts', (name) => {
    expect(things.changes.safeParse({ [name]: 'x' }).success).toBe(false);
    const draft = { name: 'a', settings: 's' };
    expect(things.strictDraft.safeParse({ ...draft, [name]: 'x' }).success).toBe(false);
    expect(things.strictDraft.parse(draft)).toEqual(things.draft.parse({ ...draft, [name]: 'x' }));
    expect(things.writableChanges.parse({ [name]: 'x' })).toEqual({});
  });

  it('refuses a fixed field in changes', () => {
    for (const changes of [things.changes, things.writableChanges])
      expect(changes.safeParse({ kind: 'round' }).success).toBe(false);
    expect(things.strictDraft.parse({ name: 'a', settings: 's', kind: 'round' }).kind).toBe('round');
  });

  it('presents stored fields unchanged, and the rest as given', () => {
    const stored = { id: '1', owner_id: 'o', name: 'a', color: null, note: null, kind: 'plain' };
    // Attributes that are not fields are not presented, nor is the stored form of converted fields.
    const item = { ...stored, settings: 'as stored', PK: 'secret' };
    const shown = things.present(item, { settings: 's', count: 2 });
    expect(shown).toEqual({ ...stored, settings: 's', count: 2 });
    expect(things.response.parse(shown)).toEqual(shown);
  });
});
