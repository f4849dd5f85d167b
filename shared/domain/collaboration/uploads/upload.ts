import * as z from 'zod';
import { derived, given, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { nameText, requiredText, timestamp, uuid } from '#shared/values.ts';

/** Bytes go straight to storage, because a request body has 5 MB at most (docs/specification/mail.md, "Uploads"). */

export const MEGABYTE = 1024 * 1024;
/** Bytes of any other file. */
export const MAX_FILE_BYTES = 100 * MEGABYTE;
/** Bytes of a mail archive: the largest single PUT of S3. */
const MAX_ARCHIVE_BYTES = 5 * 1024 * MEGABYTE;
/** Bytes of a file of records to import. */
const MAX_TABLE_BYTES = 500 * MEGABYTE;
const TABLE_TYPES = new Set(['text/csv', 'text/tab-separated-values', 'text/vcard', 'text/x-vcard']);
/** Types that only mail archives have. */
const ARCHIVE_TYPES = new Set(['application/mbox', 'application/zip', 'message/rfc822']);
/** Seconds in which the bytes must be sent. */
export const UPLOAD_SECONDS = 15 * 60;

const uploads = resource('Upload', {
  id: given(uuid),
  user_id: given(uuid),
  status: derived(z.enum(['pending', 'received', 'used', 'expired'])),
  file_name: required(nameText(255), z.string()),
  content_type: required(
    // A header, in which no program sends other characters.
    requiredText(255).regex(/^[\w.+-]+\/[\w.+-]+( *;[ -~]*)?$/, {
      error: 'must be a media type such as application/mbox',
    }),
    z.string(),
  ),
  size: required(z.int().min(0), z.int()),
  url: derived(z.string().nullable()),
  method: derived(z.literal('PUT').nullable()),
  headers: derived(z.record(z.string(), z.string()).nullable()),
  file_id: given(uuid.nullable()),
  expires_at: given(timestamp),
  created_at: given(timestamp),
  updated_at: derived(timestamp.nullable()),
});

export type Upload = Item &
  StoredFields<typeof uploads.fields> & {
    account_id: string;
    /** In lower case, when the client sent one. */
    sha256?: string;
    used_at?: string;
  };

export const uploadDraft = uploads.draft
  .extend({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hexadecimal digits' })
      .toLowerCase()
      .nullish(),
  })
  .meta({ id: 'UploadDraft' });

export const uploadSchema = uploads.response;

export type UploadStatus = z.infer<typeof uploadSchema>['status'];

export function maxBytes(content_type: string): number {
  const [type = ''] = content_type.toLowerCase().split(';');
  if (ARCHIVE_TYPES.has(type.trim())) return MAX_ARCHIVE_BYTES;
  return TABLE_TYPES.has(type.trim()) ? MAX_TABLE_BYTES : MAX_FILE_BYTES;
}

/** `url` only in the first response: its holder may send the bytes. */
export function presentUpload(upload: Upload, url: string | null, status: UploadStatus) {
  return uploads.present(upload, {
    status,
    url,
    method: url === null ? null : 'PUT',
    headers: url === null ? null : { 'Content-Type': upload.content_type },
    updated_at: null,
  });
}
