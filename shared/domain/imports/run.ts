import { describeError, getLogger } from '../../log.ts';
import { bucketOf, objectKeys } from '../../providers/files/bucket.ts';
import type { Services } from '../../services.ts';
import { ItemTooLarge } from '../../table/table.ts';
import { promiseThreadWork } from '../agents/thread-work.ts';
import { dispatch } from '../jobs/job.ts';
import { type ArchiveEntry, type ArchiveSource, countMessages, readMessages } from '../mail/archive.ts';
import type { ParsedMessage } from '../mail/message.ts';
import { MailError, parseMessage } from '../mail/parse.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import type { Ingestion } from '../threads/delivery.ts';
import { type Ingested, ingestMessage } from '../threads/ingest.ts';
import { membersOf } from '../threads/members.ts';
import { refreshThread } from '../threads/refresh.ts';
import { type MailImport, SHOWN_FAILURES } from './import.ts';
import {
  beginImport,
  findImport,
  finishImport,
  Overtaken,
  type Progress,
  recordFailure,
  recordProgress,
} from './store.ts';

/**
 * Runs an import from where it stands until it is done or the time is up. Each chunk of messages is put into threads,
 * the threads are refreshed, then the position moves on: whatever is cut off is done again from the last position,
 * and doing it again changes nothing.
 */

/** Messages whose threads are refreshed and counted at once. */
const CHUNK = 50;
/** Bytes after which fewer messages are enough, so that a chunk never takes minutes. */
const CHUNK_BYTES = 50_000_000;
/** Entries that failed cost little, and an archive may be full of them: a zip of photos. */
const CHUNK_FAILURES = 500;

interface Run {
  services: Services;
  ingestion: Ingestion;
  mailbox: Mailbox;
  /** True when no time is left for another chunk. */
  timeIsUp: () => boolean;
}

/** An entry that is a message. */
type MessageEntry = Extract<ArchiveEntry, { raw: Uint8Array }>;

type Outcome = { failed: { reason: string; message: string } } | Ingested;

function archiveOf(services: Services, mailImport: MailImport): ArchiveSource {
  const bucket = bucketOf(services);
  const key = objectKeys.upload(mailImport.upload_id);
  return {
    size: mailImport.size,
    file_name: mailImport.file_name,
    read: (start, end) => bucket.read(key, start, end),
  };
}

async function parsed(entry: MessageEntry): Promise<ParsedMessage | MailError> {
  try {
    return await parseMessage(entry.raw, { envelope_date: entry.envelope_date });
  } catch (error) {
    if (error instanceof MailError) return error;
    // A message that trips the parser is one counted failure, never the end of the import.
    getLogger().warn('unreadable message', { error: describeError(error) });
    return new MailError('not_a_message', 'The message cannot be read.');
  }
}

async function importEntry(run: Run, mailImport: MailImport, entry: ArchiveEntry): Promise<Outcome> {
  if ('failure' in entry) return { failed: entry.failure };
  const message = await parsed(entry);
  if (message instanceof MailError) return { failed: { reason: message.reason, message: message.message } };
  try {
    return await ingestMessage(run.ingestion, {
      account_id: mailImport.account_id,
      mailbox: run.mailbox,
      message,
      raw: entry.raw,
      source: `${mailImport.id}#${entry.ordinal}`,
    });
  } catch (error) {
    if (error instanceof MailError) return { failed: { reason: error.reason, message: error.message } };
    if (error instanceof ItemTooLarge)
      return { failed: { reason: 'too_complex', message: 'The message is too complex.' } };
    throw error;
  }
}

/**
 * What was done since the position was last moved. `size` counts messages; they themselves are not kept, since one may
 * have 25 MB.
 */
interface Chunk extends Progress {
  size: number;
  bytes: number;
  threads: Set<string>;
}

function newChunk(position: Progress['position']): Chunk {
  return { position, imported: 0, skipped: 0, failed: 0, size: 0, bytes: 0, threads: new Set() };
}

async function addToChunk(
  run: Run,
  mailImport: MailImport,
  chunk: Chunk,
  entry: ArchiveEntry,
): Promise<void> {
  const outcome = await importEntry(run, mailImport, entry);
  if ('failed' in outcome) {
    chunk.failed++;
    const { ordinal, name } = entry;
    if (mailImport.messages_failed + chunk.failed <= SHOWN_FAILURES)
      await recordFailure(run.services.table, mailImport.id, { ordinal, name, ...outcome.failed });
  } else {
    chunk[outcome.outcome]++;
    chunk.threads.add(outcome.thread_id);
    chunk.size++;
  }
  chunk.bytes += 'raw' in entry ? entry.raw.length : 0;
  chunk.position = entry.next;
}

async function finishChunk(run: Run, mailImport: MailImport, chunk: Chunk): Promise<MailImport> {
  const { table } = run.services;
  // Read again: an import takes minutes, in which access may be given.
  const members = await membersOf(table, mailImport.account_id);
  const threads = [...chunk.threads];
  await Promise.all(threads.map((id) => refreshThread(table, id, members)));
  const work = await promiseThreadWork(run.services, mailImport.account_id, threads);
  if (work) await dispatch(run.services, work);
  const { position, imported, skipped, failed } = chunk;
  return recordProgress(table, mailImport, { position, imported, skipped, failed });
}

async function ingestionOf(services: Services, account: string): Promise<Ingestion> {
  return {
    table: services.table,
    bucket: bucketOf(services),
    members: await membersOf(services.table, account),
    now: services.now,
  };
}

async function importAll(run: Run, source: ArchiveSource, started: MailImport): Promise<'done' | 'more'> {
  let mailImport = started;
  let chunk = newChunk(started.position);
  for await (const entry of readMessages(source, started.position)) {
    await addToChunk(run, mailImport, chunk, entry);
    if (chunk.size < CHUNK && chunk.bytes < CHUNK_BYTES && chunk.failed < CHUNK_FAILURES) continue;
    mailImport = await finishChunk(run, mailImport, chunk);
    if (run.timeIsUp()) return 'more';
    chunk = newChunk(chunk.position);
  }
  if (chunk.size + chunk.failed > 0) mailImport = await finishChunk(run, mailImport, chunk);
  await finishImport(run.services.table, mailImport, null, run.services.now());
  return 'done';
}

/** `more` when the time was up: the import goes on with another message of its job. */
export async function runImport(
  services: Services,
  id: string,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const found = await findImport(services.table, id);
  if (!found || found.status === 'complete' || found.status === 'failed') return 'done';
  const source = archiveOf(services, found);
  const ingestion = await ingestionOf(services, found.account_id);
  const mailbox = ingestion.members.mailboxes.find((each) => each.id === found.mailbox_id);
  try {
    if (!mailbox || (await bucketOf(services).size(objectKeys.upload(found.upload_id))) === undefined) {
      const error = {
        code: mailbox ? 'upload_expired' : 'mailbox_deleted',
        message: 'There is nothing to import.',
      };
      await finishImport(services.table, found, error, services.now());
      return 'done';
    }
    const started =
      found.status === 'pending'
        ? await beginImport(services.table, id, await countMessages(source), services.now())
        : found;
    return await importAll({ services, ingestion, mailbox, timeIsUp }, source, started);
  } catch (error) {
    if (error instanceof Overtaken) return 'done';
    throw error;
  }
}
