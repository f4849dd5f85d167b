import * as z from 'zod';
import { apart, derived, given, narrower, required, resource, type StoredFields } from '#shared/resource.ts';

/** What follows from a list of fields. Nothing here runs: `tsc` fails when a line that must not compile does. */

const things = resource('Thing', {
  id: given(z.string()),
  user_id: narrower(z.string().nullable(), z.string()),
  name: required(z.string(), z.string()),
  settings: apart(required(z.string(), z.string())),
  count: derived(z.int()),
});

type Stored = StoredFields<typeof things.fields>;
declare const stored: Stored;

// What is stored narrower is so without a test.
stored.user_id.toUpperCase();
// @ts-expect-error: what is made for the response is not stored
void stored.count;
// @ts-expect-error: nor is what is stored in another form
void stored.settings;
// @ts-expect-error: what may be null in the contract alone is never stored so
void ({ id: '', user_id: null, name: '' } satisfies Stored);
// @ts-expect-error: narrower is what the contract allows
narrower(z.string().nullable(), z.int());

things.present(stored, { settings: '', count: 1 });
// @ts-expect-error: a presenter leaves nothing out that is not stored
things.present(stored, { settings: '' });
// @ts-expect-error: nor adds what the resource does not have
things.present(stored, { settings: '', count: 1, total: 1 });
// @ts-expect-error: nor presents what lacks a stored field
things.present({ id: '', name: '' }, { settings: '', count: 1 });

const draft: z.output<typeof things.draft> = { name: '', settings: '' };
void draft;
// @ts-expect-error: what the service sets is not sent
draft.id;
