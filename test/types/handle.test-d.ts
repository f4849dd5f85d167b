import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';

/** The input of a handler, and its possible results. Nothing here runs: `tsc` checks it. */

const createNote = route('createNote', {
  method: 'POST',
  path: '/books/{book_id}/notes/{id}',
  access: 'write',
  summary: 'Note',
  query: { loud: z.boolean().optional() },
  body: { note: z.object({ text: z.string() }) },
  returns: { 201: { id: z.string(), size: z.int() } },
  uses: ['table:write'],
});
const made = { id: 'a', size: 1 };

handle(createNote, ({ ctx, record, params, query, body }) => {
  expectTypeOf(ctx.caller).toEqualTypeOf<Caller>();
  expectTypeOf(ctx.now).toEqualTypeOf<Date>();
  expectTypeOf(record).toEqualTypeOf<undefined>();
  expectTypeOf(params).toEqualTypeOf<Record<'book_id' | 'id', string>>();
  expectTypeOf(query.loud).toEqualTypeOf<boolean | undefined>();
  expectTypeOf(body.note.text).toEqualTypeOf<string>();
  // @ts-expect-error: the path names no such parameter
  void params.note_id;
  // @ts-expect-error: not in the query
  void query.quiet;
  // @ts-expect-error: not in the body
  void body.text;
  // @ts-expect-error: not in the body's record
  void body.note.title;
  return made;
});
handle(createNote, async () => ({ id: 'a', size: 1 }));
handle(createNote, ({ keep }) => {
  keep(made);
  // @ts-expect-error: the response is kept for repeats, in its own type
  keep({ id: 'a' });
  return made;
});

// @ts-expect-error: a field of the response is missing
handle(createNote, () => ({ id: 'a' }));
// @ts-expect-error: the same, in a promise
handle(createNote, async () => ({ id: 'a' }));
// @ts-expect-error: a field of the response has the wrong type
handle(createNote, () => ({ id: 'a', size: '1' }));
// @ts-expect-error: a response with a body has one
handle(createNote, () => {});

const deleteNote = route('deleteNote', {
  method: 'DELETE',
  path: '/notes/{id}',
  access: 'session',
  summary: 'Delete',
  returns: { 204: null },
  uses: ['table:write'],
});

handle(deleteNote, ({ query, body }) => {
  expectTypeOf(query).toEqualTypeOf<Record<string, never>>();
  expectTypeOf(body).toEqualTypeOf<Record<string, never>>();
});
// @ts-expect-error: 204 has no body
handle(deleteNote, () => ({ id: 'a' }));

const retrievePage = route('retrievePage', {
  method: 'GET',
  path: '/page',
  access: 'public',
  summary: 'Page',
  returns: { 200: { content_type: 'text/html', description: 'The page' } },
  uses: [],
});

handle(retrievePage, ({ ctx, params }) => {
  // @ts-expect-error: a public operation has no caller
  void ctx.caller;
  // @ts-expect-error: the path names nothing
  void params.id;
  return '<p>Hello</p>';
});
// @ts-expect-error: a text response is text
handle(retrievePage, () => ({ page: '<p>Hello</p>' }));

const noteRecord = route('noteRecord', {
  method: 'POST',
  path: onRecord(['contacts', 'threads'], 'notes/{id}'),
  access: 'write',
  summary: 'Note',
  returns: { 204: null },
  uses: ['table:write'],
});

handle(noteRecord, ({ record, params }) => {
  expectTypeOf(record).toEqualTypeOf<{ type: 'contacts' | 'threads'; id: string }>();
  expectTypeOf(params).toEqualTypeOf<Record<'id', string>>();
});
