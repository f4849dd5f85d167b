import * as z from 'zod';
import type { ArchivePosition } from '#shared/domain/mail/archives/archive.ts';
import type { ContactCreation } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { derived, given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** An import of a mail archive into a mailbox. Every message is counted: imported, skipped or failed. */

/** Failures shown; all are counted. */
export const SHOWN_FAILURES = 100;

const failure = z.strictObject({
  ordinal: z.int().meta({ description: 'Place in the archive, from 0' }),
  name: z.string().nullable(),
  reason: z.string(),
  message: z.string(),
});

const imports = resource('MailImport', {
  id: given(uuid),
  user_id: given(uuid),
  mailbox_id: given(uuid),
  upload_id: given(uuid),
  file_name: given(z.string()),
  status: given(z.enum(['pending', 'importing', 'complete', 'failed'])),
  messages_total: given(z.int().nullable().meta({ description: 'Null until the archive was counted' })),
  messages_imported: given(z.int()),
  messages_skipped: given(z.int().meta({ description: 'The mailbox had them already' })),
  messages_failed: given(z.int()),
  failures: derived(z.array(failure).meta({ description: `The first ${SHOWN_FAILURES}; none in lists` })),
  // Why the whole import failed.
  error: given(z.strictObject({ code: z.string(), message: z.string() }).nullable()),
  created_at: given(timestamp),
  started_at: given(timestamp.nullable()),
  finished_at: given(timestamp.nullable()),
  updated_at: derived(timestamp.nullable()),
});

export type MailImport = Item &
  StoredFields<typeof imports.fields> & {
    account_id: string;
    job_id: string;
    size: number;
    /** Of the mailbox when the import was created; missing in imports from before there were contacts from mail. */
    contact_creation?: ContactCreation;
    /** Where reading continues. */
    position: ArchivePosition;
    /** Runs since the last recorded position. */
    tries?: number;
    /** The position up to which messages are imported one by one. */
    careful_until?: number;
    /** From this message on, some may be stored without all that follows. */
    unfinished_from?: number;
    /** The message that is read alone, and how often that was started. */
    suspect?: { ordinal: number; notes: number };
  };

/** A message of the archive that was not imported. */
export type Failure = z.output<typeof failure>;

export type MailImportFailure = Item & Failure;

export const mailImportSchema = imports.response;

export function presentImport(
  mailImport: MailImport,
  failures: MailImportFailure[],
): z.infer<typeof mailImportSchema> {
  return imports.present(mailImport, {
    failures: failures.map(({ ordinal, name, reason, message }) => ({ ordinal, name, reason, message })),
    updated_at: mailImport.finished_at ?? mailImport.started_at,
  });
}
