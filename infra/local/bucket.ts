import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ownPlace, urlOf } from './place.ts';

/**
 * The few S3 operations that the project uses, on files: PutObject, CopyObject, GetObject with ranges, HeadObject,
 * DeleteObject, uploads in parts, and listing and deleting what begins alike.
 * Objects survive a restart and are streamed: the SQS emulator's own S3 takes no PUT above 11 MiB. Signatures are not checked,
 * only how long they hold. Any web page may read, as in the cloud (infra/aws/data-stack.ts).
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html
 */

export interface LocalBucket {
  endpoint: string;
  stop(): Promise<void>;
}

class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Keys become file names by their hash: no key can leave the folder, clash with another or be too long. */
function fileOf(folder: string, path: string): string {
  const name = createHash('sha256').update(path).digest('hex');
  return join(folder, name.slice(0, 2), name);
}

/** Beside an object, its key: for lists. */
const nameOf = (file: string) => `${file}.key`;

/** The `Content-Type` of an object is in a file beside it, and goes with its copies. */
const typeOf = (file: string) => `${file}.type`;

/** Comes before the object, so that none is without a name. */
async function name(file: string, path: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(nameOf(file), path);
}

async function remove(file: string): Promise<void> {
  for (const each of [file, typeOf(file), nameOf(file)]) await rm(each, { force: true });
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    throw new S3Error(404, 'NoSuchKey');
  }
}

async function put(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${process.hrtime.bigint()}`;
  const hash = createHash('md5');
  request.on('data', (chunk) => hash.update(chunk));
  try {
    await pipeline(request, createWriteStream(partial));
    await writeFile(typeOf(file), request.headers['content-type'] ?? '');
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  response.writeHead(200, { ETag: `"${hash.digest('hex')}"` }).end();
}

const partOf = (file: string, upload: string, number: number) => `${file}.${upload}.${number}`;

function xml(response: ServerResponse, name: string, content: string): void {
  response.writeHead(200, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`);
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
async function complete(file: string, upload: string, request: IncomingMessage, response: ServerResponse) {
  const body = (await request.setEncoding('utf8').toArray()).join('');
  const numbers = [...body.matchAll(/<PartNumber>(\d+)</g)].map((match) => Number(match[1]));
  const parts = numbers.map((number) => partOf(file, upload, number));
  for (const part of parts)
    await sizeOf(part).catch(() => {
      throw new S3Error(404, 'NoSuchUpload');
    });
  const partial = `${file}.${upload}`;
  await rm(partial, { force: true });
  for (const part of parts)
    await pipeline(createReadStream(part), createWriteStream(partial, { flags: 'a' }));
  await rename(partial, file);
  await Promise.all(parts.map((part) => rm(part)));
  xml(response, 'CompleteMultipartUploadResult', '');
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
async function post(
  file: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const upload = query.get('uploadId');
  if (upload !== null) return complete(file, upload, request, response);
  if (!query.has('uploads')) throw new S3Error(405, 'MethodNotAllowed');
  xml(response, 'InitiateMultipartUploadResult', `<UploadId>${randomUUID()}</UploadId>`);
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
async function copy(from: string, to: string, response: ServerResponse): Promise<void> {
  await sizeOf(from);
  await mkdir(dirname(to), { recursive: true });
  const partial = `${to}.${process.hrtime.bigint()}`;
  await copyFile(from, partial);
  await copyFile(typeOf(from), typeOf(to)).catch(() => undefined);
  await rename(partial, to);
  response.writeHead(200, { 'Content-Type': 'application/xml' });
  response.end('<?xml version="1.0" encoding="UTF-8"?><CopyObjectResult></CopyObjectResult>');
}

/** Headers that a signed URL asks for: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
const OVERRIDES = ['Content-Type', 'Content-Disposition', 'Cache-Control'];

function overridesIn(query: URLSearchParams): Record<string, string> {
  const asked = OVERRIDES.map((name) => [name, query.get(`response-${name.toLowerCase()}`)] as const);
  return Object.fromEntries(asked.filter((pair): pair is [string, string] => pair[1] !== null));
}

/** `X-Amz-Date` is like 20261120T093000Z, `X-Amz-Expires` in seconds. */
function checkExpiry(query: URLSearchParams): void {
  const signed = query.get('X-Amz-Date')?.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  if (signed && Date.now() > Date.parse(signed) + Number(query.get('X-Amz-Expires')) * 1_000)
    throw new S3Error(403, 'AccessDenied');
}

async function get(
  file: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const size = await sizeOf(file);
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const start = range ? Number(range[1]) : 0;
  const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
  if (range && start >= size) throw new S3Error(416, 'InvalidRange');
  const type = await readFile(typeOf(file), 'utf8').catch(() => '');
  response.writeHead(range ? 206 : 200, {
    ...(type === '' ? {} : { 'Content-Type': type }),
    'Content-Length': Math.max(0, end - start + 1),
    'Accept-Ranges': 'bytes',
    ...overridesIn(query),
    ...(range ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {}),
  });
  if (request.method === 'HEAD' || size === 0) response.end();
  else await pipeline(createReadStream(file, { start, end }), response);
}

const MOST_LISTED = 1_000;

/** The keys of objects, in no order. Those that were stored by earlier versions have no name, and are not listed. */
async function* keysIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.key')) {
      const file = join(entry.parentPath, entry.name);
      yield (await readFile(file, 'utf8')).replace(/^\/[^/]*\//, '');
    }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
async function list(folder: string, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const most = Math.min(Number(query.get('max-keys') ?? MOST_LISTED), MOST_LISTED);
  const found: string[] = [];
  for await (const key of keysIn(folder)) {
    if (found.length === most) break;
    if (key.startsWith(query.get('prefix') ?? '')) found.push(key);
  }
  xml(response, 'ListBucketResult', found.map((key) => `<Contents><Key>${key}</Key></Contents>`).join(''));
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
async function removeMany(folder: string, path: string, request: IncomingMessage, response: ServerResponse) {
  const body = (await request.setEncoding('utf8').toArray()).join('');
  const found = [...body.matchAll(/<Key>([^<]*)</g)].map((match) => match[1] as string);
  for (const key of found) await remove(fileOf(folder, `${path.replace(/\/$/, '')}/${key}`));
  xml(response, 'DeleteResult', '');
}

async function respond(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
  checkExpiry(searchParams);
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method === 'GET' && searchParams.has('list-type')) return list(folder, searchParams, response);
  if (request.method === 'POST' && searchParams.has('delete'))
    return removeMany(folder, pathname, request, response);
  const path = decodeURIComponent(pathname);
  const file = fileOf(folder, path);
  if (request.method === 'PUT' || request.method === 'POST') await name(file, path);
  const source = request.headers['x-amz-copy-source'];
  if (request.method === 'PUT' && typeof source === 'string')
    return copy(fileOf(folder, `/${decodeURIComponent(source).replace(/^\//, '')}`), file, response);
  const part = searchParams.get('partNumber');
  if (request.method === 'PUT' && part !== null)
    return put(partOf(file, `${searchParams.get('uploadId')}`, Number(part)), request, response);
  if (request.method === 'PUT') return put(file, request, response);
  if (request.method === 'POST') return post(file, searchParams, request, response);
  if (request.method === 'GET' || request.method === 'HEAD')
    return get(file, searchParams, request, response);
  if (request.method !== 'DELETE') throw new S3Error(405, 'MethodNotAllowed');
  await remove(file);
  response.writeHead(204).end();
}

function fail(error: unknown, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, code } = error instanceof S3Error ? error : { status: 500, code: 'InternalError' };
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}

export async function startBucket(folder: string, place = ownPlace): Promise<LocalBucket> {
  await mkdir(folder, { recursive: true });
  const server = createServer((request, response) => {
    respond(folder, request, response).catch((error: unknown) => fail(error, response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, resolve);
  });
  return {
    endpoint: urlOf(server),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
