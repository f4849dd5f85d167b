import * as z from 'zod';
import type { ArchivePosition } from '#shared/domain/mail/archives/archive.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** An import of a mail archive into a mailbox. Every message is counted: imported, skipped or failed. */

export type MailImport = Item & {
  id: string;
  account_id: string;
  mailbox_id: string;
  user_id: string;
  upload_id: string;
  job_id: string;
  file_name: string;
  size: number;
  status: 'pending' | 'importing' | 'complete' | 'failed';
  /** Where the archive is read on. */
  position: ArchivePosition;
  /** Null until the archive was counted. */
  messages_total: number | null;
  messages_imported: number;
  messages_skipped: number;
  messages_failed: number;
  /** Why the whole import failed. */
  error: { code: string; message: string } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** Runs since the position was last moved. */
  tries?: number;
  /** A place in the archive up to which it goes on message by message. */
  careful_until?: number;
  /** The message that it reads alone, and how often it began to. */
  suspect?: { ordinal: number; notes: number };
};

export type MailImportFailure = Item & {
  /** Place in the archive, from 0. */
  ordinal: number;
  name: string | null;
  reason: string;
  message: string;
};

/** Failures shown; all of them are counted. */
export const SHOWN_FAILURES = 100;

export const mailImportRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid,
    mailbox_id: uuid,
    upload_id: uuid,
    file_name: z.string(),
    status: z.enum(['pending', 'importing', 'complete', 'failed']),
    messages_total: z.int().nullable().meta({ description: 'Null until the archive was counted' }),
    messages_imported: z.int(),
    messages_skipped: z.int().meta({ description: 'The mailbox had them already' }),
    messages_failed: z.int(),
    failures: z
      .array(
        z.strictObject({
          ordinal: z.int().meta({ description: 'Place in the archive, from 0' }),
          name: z.string().nullable(),
          reason: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: `The first ${SHOWN_FAILURES}` }),
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'MailImport' });

export function presentImport(
  mailImport: MailImport,
  failures: MailImportFailure[],
): z.infer<typeof mailImportRecord> {
  return {
    id: mailImport.id,
    user_id: mailImport.user_id,
    mailbox_id: mailImport.mailbox_id,
    upload_id: mailImport.upload_id,
    file_name: mailImport.file_name,
    status: mailImport.status,
    messages_total: mailImport.messages_total,
    messages_imported: mailImport.messages_imported,
    messages_skipped: mailImport.messages_skipped,
    messages_failed: mailImport.messages_failed,
    failures: failures.map(({ ordinal, name, reason, message }) => ({ ordinal, name, reason, message })),
    error: mailImport.error,
    created_at: mailImport.created_at,
    started_at: mailImport.started_at,
    finished_at: mailImport.finished_at,
    updated_at: mailImport.finished_at ?? mailImport.started_at,
  };
}
