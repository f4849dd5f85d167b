import * as z from 'zod';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { requireUnusedUpload } from '#shared/domain/collaboration/uploads/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { createFile } from '#shared/domain/work/files/create.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { requireFile } from '#shared/domain/work/files/policy.ts';
import { invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { uuid } from '#shared/values.ts';
import { contentIdOf } from './attached.ts';
import { requireRoom, requireStorableAttachment } from './checks.ts';
import type { Draft } from './draft.ts';
import { requireDraft, requireEditable } from './policy.ts';
import { writeDraft } from './writes.ts';

/** Attachments are files: those of uploads become files of the user. */

export const attachmentDraft = z
  .object({
    upload_id: uuid.optional(),
    file_id: uuid.optional(),
  })
  .meta({ id: 'AttachmentDraft' });

type Sent = z.output<typeof attachmentDraft>;

type Ctx = CallerContext<SeesRecords & KeepsLists>;

/** 400 unless exactly one is sent. */
export function requireOne({ upload_id, file_id }: Sent): void {
  if (upload_id !== undefined && file_id !== undefined)
    throw invalidField('file_id', 'invalid', 'is one too many: send upload_id or file_id');
  if (upload_id === undefined && file_id === undefined)
    throw invalidField('upload_id', 'required', 'is required without file_id');
}

function withFile(draft: Draft, file: File, now: Date): Draft {
  const { file_name, name, content_type, size } = file;
  const id = newId(now);
  const attachment = {
    ...{ id, file_id: file.id, file_name: file_name ?? name },
    content_type: content_type ?? 'application/octet-stream',
    size: size ?? 0,
    inline: false,
    content_id: contentIdOf(id),
    decorative: false,
  };
  requireRoom(draft, attachment.size);
  const attached = { ...draft, attachments: [...draft.attachments, attachment] };
  requireStorableAttachment(attached);
  return attached;
}

async function editable(ctx: CallerContext, id: string): Promise<Draft> {
  const draft = await requireDraft(ctx, id);
  requireEditable(draft);
  return draft;
}

/** What can be refused is refused before the upload is used. */
async function fileOf(ctx: Ctx, bucket: Bucket, draft: Draft, { upload_id, file_id }: Sent): Promise<File> {
  if (file_id !== undefined) return requireFile(ctx, file_id);
  const upload = await requireUnusedUpload(ctx, upload_id as string);
  requireRoom(draft, upload.size);
  return createFile(ctx, bucket, { upload_id: upload.id }, 'draft');
}

/** 404 for an upload of somebody else and a hidden file, 413 `file_too_large` above 25 MB in all, 422 `draft_not_editable`. */
export async function attach(ctx: Ctx, bucket: Bucket, id: string, sent: Sent): Promise<Draft> {
  requireOne(sent);
  const file = await fileOf(ctx, bucket, await editable(ctx, id), sent);
  return retryOnConflict(async () => {
    const before = await editable(ctx, id);
    return writeDraft(ctx, before, withFile(before, file, ctx.now));
  });
}
