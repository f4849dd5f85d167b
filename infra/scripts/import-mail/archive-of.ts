import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { wayOutOf } from '#shared/domain/mail/archives/foreign.ts';
import { Misuse } from '../../cli/options.ts';
import type { Archive } from '../import-archive.ts';
import { mboxEntry } from '../mbox-writer.ts';

/** What is uploaded for a file or a folder. */

const TYPES: Record<string, string> = {
  '.eml': 'message/rfc822',
  '.zip': 'application/zip',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.vcf': 'text/vcard',
  '.ics': 'text/calendar',
};

function fromFile(path: string, name: string, content_type: string, size: number): Archive {
  const stream = () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return { file_name: name, content_type, bytes: { size, stream } };
}

const typeOf = (name: string) => extname(name).toLowerCase();

/** Files of mail at any depth. */
async function mailFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && ['.eml', '.mbox'].includes(typeOf(entry.name)))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

const NEWLINE = '\n'.charCodeAt(0);

/** An mbox may end within a line; the next one begins with its own. */
async function endLine(path: string): Promise<void> {
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
  if (size > 0 && buffer[0] !== NEWLINE) await file.write('\n\n', size);
  await file.close();
}

/** A folder becomes one mbox: messages are written with their separators, an mbox as it is. */
async function folderToMbox(folder: string, target: string): Promise<void> {
  const files = await mailFiles(folder);
  if (files.length === 0) throw new Misuse(`The folder ${folder} has no .mbox or .eml files`);
  for (const file of files) {
    const out = createWriteStream(target, { flags: 'a' });
    const whole =
      typeOf(file) === '.mbox' ? createReadStream(file) : Readable.from([mboxEntry(await readFile(file))]);
    await pipeline(whole, out);
    await endLine(target);
  }
}

/** `scratch` is a folder for what must be written first. Throws Misuse. */
export async function archiveOf(path: string, scratch: string): Promise<Archive> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Misuse(`There is no file or folder ${path}`);
  if (found.isDirectory()) {
    const target = join(scratch, 'folder.mbox');
    await folderToMbox(path, target);
    return fromFile(target, `${basename(path)}.mbox`, 'application/mbox', (await stat(target)).size);
  }
  const foreign = wayOutOf(path);
  if (foreign) throw new Misuse(foreign);
  return fromFile(path, basename(path), TYPES[typeOf(path)] ?? 'application/mbox', found.size);
}
