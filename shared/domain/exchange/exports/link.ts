import { create as contentDisposition } from 'content-disposition';
import type { Context } from '#shared/context.ts';
import { objectKeys } from '#shared/providers/files/bucket.ts';
import { presignGet } from '#shared/providers/files/presign.ts';
import type { Link, RecordExport } from './export.ts';
import { fileKinds } from './file-kinds.ts';

/** Seconds. */
const LINK_SECONDS = 300;

/** A link to the file of a complete export, for five minutes; undefined when there is no file, or not any more. */
export async function linkOf(ctx: Context, found: RecordExport): Promise<Link | undefined> {
  const { account_id, id, status, expires_at, format, file_name } = found;
  if (status !== 'complete' || ctx.now.toISOString() >= (expires_at ?? '')) return undefined;
  const url = await presignGet(ctx, objectKeys.export(account_id, id), {
    at: ctx.now,
    seconds: LINK_SECONDS,
    content_type: fileKinds[format].content_type,
    content_disposition: contentDisposition(file_name),
    cache_control: 'private, no-store',
  });
  return { url, expires_at: new Date(ctx.now.getTime() + LINK_SECONDS * 1_000).toISOString() };
}
