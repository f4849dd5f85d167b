import * as z from 'zod';
import { given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableLine, clearableText, emailAddress, timestamp } from '#shared/values.ts';

const line = optional(clearableLine(255).optional(), z.string().nullable());

const waitlistees = resource('Waitlistee', {
  email_address: required(emailAddress, z.string()),
  name: line,
  company_name: line,
  note: optional(clearableText(20_000).optional(), z.string().nullable()),
  status: given(z.enum(['waiting', 'invited', 'joined'])),
  invited_at: given(timestamp.nullable()),
  created_at: given(timestamp),
});

/** Someone who waits for an invitation. No operation shows one: `npm run admin -- list-waitlist`. */
export type Waitlistee = Item &
  StoredFields<typeof waitlistees.fields> & {
    /** Of the last signup token. */
    token_hash?: string;
  };

export const waitlisteeDraft = waitlistees.strictDraft.meta({ id: 'WaitlisteeDraft' });

export type WaitlisteeDraft = z.output<typeof waitlisteeDraft>;
