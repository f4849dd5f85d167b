import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import { onRecord, route } from '#shared/api/route.ts';
import { queues } from '#shared/queues/queues.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import { type kinds, type Use, type UseOf, workers } from '#shared/uses/kinds.ts';

/** The types of definitions. Nothing here runs: `tsc` fails when a line compiles that must not. */

const right = {
  method: 'GET',
  path: '/notes/{note_id}',
  access: 'read',
  summary: 'Note',
  returns: { 200: { note: z.object({ text: z.string() }) } },
  uses: ['table:read'],
} as const;

const note = route('note', right);
expectTypeOf(note.path).toEqualTypeOf<'/notes/{note_id}'>();
expectTypeOf(note.access).toEqualTypeOf<'read'>();
expectTypeOf(note.uses).toEqualTypeOf<readonly 'table:read'[]>();

route('note', { ...right, uses: ['queue:import-mail'] });
// @ts-expect-error: there is no such queue
route('note', { ...right, uses: ['queue:import-mails'] });
// @ts-expect-error: the kind of use is misspelt
route('note', { ...right, uses: ['table:reads'] });
// @ts-expect-error: no such method
route('note', { ...right, method: 'PUT' });
// @ts-expect-error: no such access
route('note', { ...right, access: 'admin' });
route('note', { ...right, errors: ['tag_name_taken'] });
// @ts-expect-error: not in the error catalogue
route('note', { ...right, errors: ['tag_name_token'] });
route('note', { ...right, returns: { 204: null } });
// @ts-expect-error: operations succeed with other statuses
route('note', { ...right, returns: { 418: null } });
// @ts-expect-error: a field has a schema
route('note', { ...right, body: { text: 'string' } });
// @ts-expect-error: `uses` is required
route('note', { ...right, uses: undefined });

onRecord(['contacts', 'threads'], 'notes');
// @ts-expect-error: no such record type
onRecord(['contact'], 'notes');

/** The uses of a worker. */
type Uses = Record<string, { uses: readonly Use[] }>;
workers satisfies Uses;
({ ...queues, 'send-mail': { uses: ['table:write', 'queue:sync-labels'] } }) satisfies Uses;
// @ts-expect-error: there is no such queue
({ ...queues, 'send-mail': { uses: ['queue:sync-label'] } }) satisfies Uses;
// @ts-expect-error: there is no such kind
({ ...queues, 'send-mail': { uses: ['smtp'] } }) satisfies Uses;

/** The uses of a new kind: its name, or its name with its modes. */
type More = typeof kinds & { smtp: object; sockets: { modes: readonly ['send', 'close'] } };
expectTypeOf<UseOf<More>>().toEqualTypeOf<Use | 'smtp' | 'sockets:send' | 'sockets:close'>();
expectTypeOf<Use>().not.toEqualTypeOf<string>();
expectTypeOf<More>().toExtend<Kinds>();
