import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ApiFailure } from '#shared/api/client.ts';
import { type Archive, type ImportCounts, importArchive } from './import-archive.ts';
import { mboxEntry } from './mbox-writer.ts';

const HELP = `Imports mail into a mailbox through the API.

  npm run import -- --mailbox <id> --key <api key> [--url <base url>] <file or folder>

  <file or folder>  an mbox, an .eml file, a .zip of .eml files, or a folder with .eml files
  --url             default: the base_url of .local/demo.json, else http://127.0.0.1:3000
  --help            this text
`;

const TYPES: Record<string, string> = { '.eml': 'message/rfc822', '.zip': 'application/zip' };

function defaultUrl(): string {
  const file = '.local/demo.json';
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).base_url : 'http://127.0.0.1:3000';
}

function fromFile(path: string, name: string, content_type: string, size: number): Archive {
  const stream = () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return { file_name: name, content_type, bytes: { size, stream } };
}

/** A folder becomes one mbox, written message by message. */
async function folderToMbox(folder: string, target: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.eml')).sort();
  const file = await open(target, 'w');
  for (const name of names) await file.write(mboxEntry(await readFile(join(folder, name))));
  await file.close();
  return names.length;
}

/** A progress bar on a terminal, nothing when the output is a file. */
function showProgress({ messages_total, ...counts }: ImportCounts): void {
  if (!process.stderr.isTTY) return;
  const done = counts.messages_imported + counts.messages_skipped + counts.messages_failed;
  const total = messages_total ?? 0;
  const filled = total === 0 ? 0 : Math.round((done / total) * 30);
  const bar = `${'#'.repeat(filled)}${'.'.repeat(30 - filled)}`;
  process.stderr.write(`\r[${bar}] ${done}/${messages_total ?? '?'} ${counts.status}   `);
}

function report(counts: ImportCounts): void {
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(
    `${counts.status}: ${counts.messages_total ?? 0} messages, ${counts.messages_imported} imported, ` +
      `${counts.messages_skipped} skipped (already there), ${counts.messages_failed} failed`,
  );
  for (const failure of counts.failures)
    console.log(
      `  message ${failure.ordinal + 1} ${failure.name ?? ''}: ${failure.reason}: ${failure.message}`,
    );
}

async function archiveOf(path: string, scratch: string): Promise<Archive> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`There is no file or folder ${path}.`);
  if (!found.isDirectory()) {
    const content_type = TYPES[extname(path).toLowerCase()] ?? 'application/mbox';
    return fromFile(path, basename(path), content_type, found.size);
  }
  const target = join(scratch, 'folder.mbox');
  if ((await folderToMbox(path, target)) === 0) throw new Error(`The folder ${path} has no .eml files.`);
  return fromFile(target, `${basename(path)}.mbox`, 'application/mbox', (await stat(target)).size);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mailbox: { type: 'string' },
      key: { type: 'string' },
      url: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [path] = positionals;
  if (values.help || !values.mailbox || !values.key || !path) {
    console.log(HELP);
    process.exit(values.help ? 0 : 2);
  }
  const scratch = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    const archive = await archiveOf(path, scratch);
    const target = { base_url: values.url ?? defaultUrl(), key: values.key, mailbox_id: values.mailbox };
    const counts = await importArchive(target, archive, showProgress);
    report(counts);
    if (counts.status === 'failed') process.exitCode = 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  const refused = error instanceof ApiFailure ? `The API refused: ${error.message}` : undefined;
  console.error(refused ?? (error instanceof Error ? error.message : error));
  process.exit(1);
});
