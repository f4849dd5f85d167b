import * as z from 'zod';
import type { Item } from '#shared/table/table.ts';
import { nameText, requiredText, timestamp, uuid } from '#shared/values.ts';

/** Bytes go straight to storage, because a request body has 5 MB at most (docs/specification/mail.md, "Uploads"). */

export type Upload = Item & {
  id: string;
  account_id: string;
  user_id: string;
  file_name: string;
  content_type: string;
  size: number;
  used_at?: string;
  file_id: string | null;
  created_at: string;
  expires_at: string;
};

const MEGABYTE = 1024 * 1024;
/** Bytes of any file but a mail archive. */
const MAX_FILE_BYTES = 100 * MEGABYTE;
/** Bytes of a mail archive: the largest single PUT of S3. */
const MAX_ARCHIVE_BYTES = 5 * 1024 * MEGABYTE;
/** Types that only mail archives have. */
const ARCHIVE_TYPES = new Set(['application/mbox', 'application/zip', 'message/rfc822']);
/** Seconds in which the bytes must be sent. */
export const UPLOAD_SECONDS = 15 * 60;

export const uploadDraft = z.object({
  file_name: nameText(255),
  content_type: requiredText(255).regex(/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/, {
    error: 'must be a media type such as application/mbox',
  }),
  size: z.int().min(1),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hexadecimal digits' })
    .nullish(),
});

export const uploadRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid,
    status: z.enum(['pending', 'received', 'used', 'expired']),
    file_name: z.string(),
    content_type: z.string(),
    size: z.int(),
    url: z.string().nullable(),
    method: z.literal('PUT').nullable(),
    headers: z.record(z.string(), z.string()).nullable(),
    file_id: uuid.nullable(),
    expires_at: timestamp,
    created_at: timestamp,
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Upload' });

export function maxBytes(content_type: string): number {
  return ARCHIVE_TYPES.has(content_type.toLowerCase()) ? MAX_ARCHIVE_BYTES : MAX_FILE_BYTES;
}

/** `url` only in the first answer: its holder may send the bytes. */
export function presentUpload(
  upload: Upload,
  url: string | null,
  status: z.infer<typeof uploadRecord>['status'],
) {
  return {
    id: upload.id,
    user_id: upload.user_id,
    status,
    file_name: upload.file_name,
    content_type: upload.content_type,
    size: upload.size,
    url,
    method: url === null ? null : ('PUT' as const),
    headers: url === null ? null : { 'Content-Type': upload.content_type },
    file_id: upload.file_id,
    expires_at: upload.expires_at,
    created_at: upload.created_at,
    updated_at: null,
  };
}
