import * as z from 'zod';
import { apart, derived, given, narrower, required, resource, type StoredFields } from '#shared/resource.ts';

/** The types from a list of fields. Nothing here runs: `tsc` fails when a line compiles that must not. */

const things = resource('Thing', {
  id: given(z.string()),
  user_id: narrower(z.string().nullable(), z.string()),
  name: required(z.string(), z.string()),
  settings: apart(required(z.string(), z.string())),
  count: derived(z.int()),
});

type Stored = StoredFields<typeof things.fields>;
declare const stored: Stored;

// A narrower stored type needs no test.
stored.user_id.toUpperCase();
// @ts-expect-error: a derived field is not stored
void stored.count;
// @ts-expect-error: a converted field is stored in another form
void stored.settings;
// @ts-expect-error: null in the contract alone is never stored
void ({ id: '', user_id: null, name: '' } satisfies Stored);
// @ts-expect-error: a narrower type must fit the contract
narrower(z.string().nullable(), z.int());

things.present(stored, { settings: '', count: 1 });
// @ts-expect-error: a presenter provides every field that is not stored
things.present(stored, { settings: '' });
// @ts-expect-error: a presenter adds no unknown field
things.present(stored, { settings: '', count: 1, total: 1 });
// @ts-expect-error: a presenter needs every stored field
things.present({ id: '', name: '' }, { settings: '', count: 1 });

const draft: z.output<typeof things.draft> = { name: '', settings: '' };
void draft;
// @ts-expect-error: clients do not send what the service sets
draft.id;
