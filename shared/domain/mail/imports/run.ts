import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import {
  type ArchiveEntry,
  type ArchiveSource,
  countMessages,
  readMessages,
} from '#shared/domain/mail/archives/archive.ts';
import type { FollowsMail } from '#shared/domain/mail/arriving/arrived.ts';
import { finishBatch } from '#shared/domain/mail/arriving/finish.ts';
import type { Taken, Target } from '#shared/domain/mail/arriving/take.ts';
import { targetOf } from '#shared/domain/mail/arriving/target.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { isDeleted } from '#shared/domain/mail/mailboxes/policy.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { ifOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { Chunk } from './chunk.ts';
import { importEntry } from './entry.ts';
import { FinishedDeliveries } from './finished.ts';
import type { MailImport } from './import.ts';
import { beginImport, findImport, finishImport, recordFailures, recordProgress } from './store.ts';
import { beginRun, carefulUntil, isCareful, isPoison, note, poisonFailure, unnote } from './suspect.ts';

/**
 * Runs an import from its position until it is complete or the time is up. Each chunk of messages is put into threads,
 * the threads are refreshed, then the position is recorded: an interrupted chunk runs again from the last position, and
 * repeating it changes nothing.
 */

interface Run {
  ctx: Context<FollowsMail & KnowsDependents & SeesRecords>;
  target: Target;
  /** Users who read the mailbox. */
  readers: number;
  /** True when there is no time for another chunk. */
  timeIsUp: () => boolean;
}

function archiveOf(ctx: Context, mailImport: MailImport): ArchiveSource {
  const bucket = bucketOf(ctx);
  const key = objectKeys.upload(mailImport.upload_id);
  return {
    size: mailImport.size,
    file_name: mailImport.file_name,
    read: (start, end) => bucket.read(key, start, end),
  };
}

async function finishChunk({ ctx, target }: Run, mailImport: MailImport, chunk: Chunk): Promise<MailImport> {
  const { table } = ctx;
  await finishBatch(ctx, target, chunk);
  await recordFailures(table, mailImport.id, chunk.shownFailures(mailImport.messages_failed));
  return recordProgress(table, mailImport, { ...chunk.progress, careful_until: carefulUntil(mailImport) });
}

/** True when there is no time for more, or the account was closed meanwhile: the next message ends the import then. */
async function isOver({ ctx, timeIsUp }: Run, { account_id, mailbox_id }: MailImport): Promise<boolean> {
  if (timeIsUp() || !(await isActive(ctx.table, account_id))) return true;
  return isDeleted(await ctx.table.get<Mailbox>(keys.mailbox(account_id, mailbox_id)));
}

/** Imports an entry as a chunk of its own. */
async function importAlone(run: Run, mailImport: MailImport, entry: ArchiveEntry): Promise<MailImport> {
  const { table } = run.ctx;
  const chunk = new Chunk(mailImport.position, run.readers);
  const work = async (): Promise<Taken> => {
    if (isPoison(mailImport, entry)) return poisonFailure;
    await note(table, mailImport, entry);
    return importEntry(run.target, mailImport, entry);
  };
  await chunk.add(entry, work);
  try {
    return await finishChunk(run, mailImport, chunk);
  } catch (error) {
    await unnote(table, mailImport, error);
    throw error;
  }
}

async function importAll(run: Run, source: ArchiveSource, started: MailImport): Promise<'done' | 'more'> {
  let mailImport = started;
  let chunk = new Chunk(started.position, run.readers);
  for await (const entry of readMessages(source, started.position)) {
    if (isCareful(mailImport)) {
      const wasPoison = isPoison(mailImport, entry);
      mailImport = await importAlone(run, mailImport, entry);
      // A new message of the job has all its tries.
      if (wasPoison || (await isOver(run, mailImport))) return 'more';
      chunk = new Chunk(mailImport.position, run.readers);
      continue;
    }
    await chunk.add(entry, () => importEntry(run.target, started, entry));
    if (!chunk.isFull) continue;
    mailImport = await finishChunk(run, mailImport, chunk);
    if (await isOver(run, mailImport)) return 'more';
    chunk = new Chunk(mailImport.position, run.readers);
  }
  if (!chunk.isEmpty) mailImport = await finishChunk(run, mailImport, chunk);
  await finishImport(run.ctx.table, mailImport, null, run.ctx.clock());
  return 'done';
}

/** Why there is nothing to import; undefined when there is. */
async function refusalOf(
  ctx: Context,
  { account_id, upload_id }: MailImport,
  mailbox: Mailbox | undefined,
): Promise<'account_closed' | 'mailbox_deleted' | 'upload_expired' | undefined> {
  if (!(await isActive(ctx.table, account_id))) return 'account_closed';
  if (!mailbox || isDeleted(mailbox)) return 'mailbox_deleted';
  const size = await bucketOf(ctx).size(objectKeys.upload(upload_id));
  return size === undefined ? 'upload_expired' : undefined;
}

async function runFound(
  ctx: Context<FollowsMail & KnowsDependents & SeesRecords>,
  found: MailImport,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const { table, clock } = ctx;
  const source = archiveOf(ctx, found);
  const members = await membersOf(table, found.account_id);
  const mailbox = members.mailboxes.find((each) => each.id === found.mailbox_id);
  const code = await refusalOf(ctx, found, mailbox);
  if (!mailbox || code) {
    await finishImport(table, found, { code: `${code}`, message: 'There is nothing to import.' }, clock());
    return 'done';
  }
  if (found.status === 'pending') await beginImport(table, found.id, await countMessages(source), clock());
  const started = await beginRun(table, found);
  const readers = members.users.filter((user) => Object.hasOwn(user.mailboxes, mailbox.id)).length;
  const creation = found.contact_creation ?? 'none';
  const finished = new FinishedDeliveries(table, creation);
  const target = targetOf(ctx, members, mailbox, { creation, finished });
  return importAll({ ctx, target, readers, timeIsUp }, source, started);
}

/** `more` when the time was up: another message of the job continues. */
export async function runImport(
  ctx: Context<FollowsMail & KnowsDependents & SeesRecords>,
  id: string,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const found = await findImport(ctx.table, id);
  if (!found || found.status === 'complete' || found.status === 'failed') return 'done';
  return ifOvertaken('done' as const, () => runFound(ctx, found, timeIsUp));
}
