import { createClient } from '#shared/api/client.ts';
import { families } from '../../functions/catalogue.ts';

/** Imports an archive through the API: upload, import, wait. */

export interface ImportTarget {
  base_url: string;
  key: string;
  mailbox_id: string;
}

export interface Archive {
  file_name: string;
  content_type: string;
  bytes: Buffer | { size: number; stream(): ReadableStream<Uint8Array> };
}

export interface ImportCounts {
  id: string;
  status: string;
  messages_total: number | null;
  messages_imported: number;
  messages_skipped: number;
  messages_failed: number;
  failures: { ordinal: number; name: string | null; reason: string; message: string }[];
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Milliseconds between two polls: short at first, and within the rate limit for long imports. */
const FIRST_WAIT = 20;
const LONGEST_WAIT = 1_000;

async function send(url: string, headers: Record<string, string>, bytes: Archive['bytes']): Promise<void> {
  const isBuffer = Buffer.isBuffer(bytes);
  const size = isBuffer ? bytes.length : bytes.size;
  const response = await fetch(url, {
    method: 'PUT',
    headers: { ...headers, 'Content-Length': String(size) },
    body: (isBuffer ? bytes : bytes.stream()) as RequestInit['body'],
    ...(isBuffer ? {} : { duplex: 'half' }),
  } as RequestInit);
  if (!response.ok) throw new Error(`The upload was refused: ${response.status} ${await response.text()}`);
}

/** Uploads a file; returns the id of the upload. */
export async function uploadFile(
  target: Pick<ImportTarget, 'base_url' | 'key'>,
  archive: Archive,
): Promise<string> {
  const api = createClient(families, target);
  const size = Buffer.isBuffer(archive.bytes) ? archive.bytes.length : archive.bytes.size;
  const { body: created } = await api.createUpload({
    body: { upload: { file_name: archive.file_name, content_type: archive.content_type, size } },
  });
  const { upload } = created;
  await send(upload.url as string, upload.headers ?? {}, archive.bytes);
  return upload.id;
}

/** Uploads the archive and starts its import; returns the id of the import. */
export async function startImport(target: ImportTarget, archive: Archive): Promise<string> {
  const upload_id = await uploadFile(target, archive);
  const { body: started } = await createClient(families, target).createMailImport({
    params: { mailbox_id: target.mailbox_id },
    body: { import: { upload_id } },
  });
  return started.import.id;
}

/** The id of the import that was started last; undefined when there is none. */
export async function newestImport(target: ImportTarget): Promise<string | undefined> {
  const params = { mailbox_id: target.mailbox_id };
  const { body } = await createClient(families, target).listMailImports({ params, query: { limit: 1 } });
  return body.collection.records[0]?.id;
}

/** Resolves when the import has ended; `watch` gets the counts meanwhile. */
export async function followImport(
  target: ImportTarget,
  id: string,
  watch: (counts: ImportCounts) => void = () => {},
): Promise<ImportCounts> {
  const api = createClient(families, target);
  const params = { mailbox_id: target.mailbox_id, id };
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 1.5, LONGEST_WAIT)) {
    const { body } = await api.retrieveMailImport({ params });
    watch(body.import);
    if (body.import.status === 'complete' || body.import.status === 'failed') return body.import;
    await pause(wait);
  }
}

/** Resolves when the import has ended; `watch` gets the counts meanwhile. */
export async function importArchive(
  target: ImportTarget,
  archive: Archive,
  watch?: (counts: ImportCounts) => void,
): Promise<ImportCounts> {
  return followImport(target, await startImport(target, archive), watch);
}
