import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { fileChange } from '#shared/domain/work/files/writes.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Uploads and files. */

interface Sent {
  name?: string;
  type?: string;
  bytes?: string | Buffer;
  sha256?: string;
}

/** An upload whose bytes have been sent. */
export async function givenUpload(
  { api }: TestUser,
  { name = 'offer.pdf', type = 'application/pdf', bytes = 'An offer.', sha256 }: Sent = {},
) {
  const content = Buffer.from(bytes);
  const upload = {
    ...{ file_name: name, content_type: type, size: content.length },
    ...(sha256 === undefined ? {} : { sha256 }),
  };
  const created = (await api.createUpload({ body: { upload } })).body.upload;
  const { url, headers } = created as { url: string; headers: Record<string, string> };
  const put = await fetch(url, { method: 'PUT', headers, body: content });
  if (!put.ok) throw new Error(`The bucket answered ${put.status}`);
  return created;
}

/** An uploaded file, with the fields of its draft. Needs `startWorkspace({ files: true })`. */
export async function uploadFile(user: TestUser, draft: object = {}, sent: Sent = {}) {
  const { id } = await givenUpload(user, sent);
  return (await user.api.createFile({ body: { file: { upload_id: id, ...draft } } })).body.file;
}

/** A file without bytes, for tests without a bucket. */
export async function givenFile(
  { ctx, table }: Workspace,
  { user }: TestUser,
  given: Partial<File> = {},
): Promise<File> {
  const now = ctx.clock();
  const id = newId(now);
  const after: File = {
    ...keys.record('files', id),
    id,
    account_id: user.account_id,
    user_id: user.id,
    name: 'offer.pdf',
    ...{ file_name: 'offer.pdf', extension: 'pdf', content_type: 'application/pdf', size: 9 },
    description: null,
    source: 'upload',
    decorative: false,
    links: [],
    visibility: 'private',
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
    ...given,
  };
  const change = await fileChange({ table, now }, ctx.ports.records, { before: undefined, after });
  // Many lists are written by a job.
  await commit({ ...ctx, table, now }, change);
  return after;
}
