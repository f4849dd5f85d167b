import { isDeepStrictEqual } from 'node:util';
import { mapAtOnce } from '#shared/at-once.ts';
import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import { linkedIds } from '#shared/domain/collaboration/record-lists/linked.ts';
import type { RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import { complete, enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { missing, type Table, when } from '#shared/table/table.ts';
import { type Carrier, MAX_CARRIERS } from './carriers.ts';
import { extensionOf } from './extension.ts';
import type { File } from './file.ts';
import { fileIndex } from './lists.ts';
import { fileChange } from './writes.ts';

/** Files that come with mail: the record of a file has what the mails of a thread say of it. */

const FILES_AT_ONCE = 8;

/** A file as the attachments of one thread have it: all have the same name, type and use. */
export interface CarriedFile extends Pick<File, 'file_name' | 'content_type' | 'size' | 'decorative'> {
  file_id: string;
  file_name: string;
  carriers: Carrier[];
}

/** All files of a thread. */
export interface Cargo {
  thread_id: string;
  account_id: string;
  files: CarriedFile[];
  /** The owners of mailboxes by the ids of these. */
  owners: ReadonlyMap<string, string>;
}

interface Work {
  table: Table;
  now: Date;
  records: RecordKinds;
}

function newFile({ account_id }: Cargo, carried: CarriedFile, now: Date): File {
  const { file_id, file_name, content_type, size, decorative } = carried;
  return {
    ...keys.record('files', file_id),
    id: file_id,
    account_id,
    user_id: null,
    name: file_name,
    ...{ file_name, extension: extensionOf(file_name), content_type, size, decorative },
    description: null,
    source: 'attachment',
    links: [],
    visibility: 'linked',
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/** Those of before that are elsewhere, and those that the thread has now: as many as a file names. */
function carriersAfter(before: Carrier[], thread_id: string, here: Carrier[]): Carrier[] {
  const known = new Set(before.map(({ attachment_id }) => attachment_id));
  const moved = new Set(here.map(({ attachment_id }) => attachment_id));
  const elsewhere = before.filter((each) => each.thread_id !== thread_id && !moved.has(each.attachment_id));
  const after = [...elsewhere, ...here.filter(({ attachment_id }) => known.has(attachment_id))];
  const reached = new Set(after.flatMap(({ mailbox_ids }) => mailbox_ids));
  for (const carrier of here.filter(({ attachment_id }) => !known.has(attachment_id))) {
    if (after.length >= MAX_CARRIERS && carrier.mailbox_ids.every((id) => reached.has(id))) continue;
    after.push(carrier);
    for (const id of carrier.mailbox_ids) reached.add(id);
  }
  return after.sort((a, b) => (a.attachment_id < b.attachment_id ? -1 : 1));
}

/** The mailboxes of all mails with the file; a file that names not all of its mails keeps those that it had. */
function mailboxesAfter(before: File, carriers: Carrier[], owners: Cargo['owners']) {
  const { mailboxes = {}, carriers: named = [] } = before;
  const ids = carriers.flatMap(({ mailbox_ids }) => mailbox_ids);
  const kept = named.length < MAX_CARRIERS ? [] : Object.keys(mailboxes);
  const all = [...new Set([...kept, ...ids])].sort();
  return Object.fromEntries(
    all.flatMap((id) => {
      const owner = owners.get(id) ?? mailboxes[id];
      return owner === undefined ? [] : [[id, owner] as const];
    }),
  );
}

function withCarriers(before: File, thread_id: string, here: Carrier[], owners: Cargo['owners']): File {
  const carriers = carriersAfter(before.carriers ?? [], thread_id, here);
  const mailboxes = mailboxesAfter(before, carriers, owners);
  const same = isDeepStrictEqual([carriers, mailboxes], [before.carriers ?? [], before.mailboxes ?? {}]);
  const crowded = carriers.length >= MAX_CARRIERS ? { crowded: true as const } : {};
  return same ? before : { ...before, carriers, mailboxes, ...crowded, carried: (before.carried ?? 0) + 1 };
}

/**
 * A mail that was arriving as the file ended has it: its bytes stay (removal.ts). While the end goes on, the work is tried
 * again.
 */
async function revived({ table }: Work, file: File): Promise<File> {
  await table.transact([{ put: file, when: when<File>({ leaves_mark: true, source: missing }) }]);
  return file;
}

async function carryFile(work: Work, cargo: Cargo, id: string, carried: CarriedFile | undefined) {
  const { table, now, records } = work;
  const found = await table.get<File>(keys.record('files', id));
  if (!carried && (!found || found.leaves_mark)) return;
  const before = found?.leaves_mark
    ? await revived(work, newFile(cargo, carried as CarriedFile, now))
    : found;
  const start = before ?? newFile(cargo, carried as CarriedFile, now);
  const after = withCarriers(start, cargo.thread_id, carried?.carriers ?? [], cargo.owners);
  if (after === before) return;
  const { writes, jobs } = await fileChange({ table, now }, records, { before, after });
  await table.transact([...writes, ...jobs.map(enqueue)]);
  // Its lists did not fit into the transaction.
  for (const job of jobs)
    await indexRecord({ table, clock: () => now }, fileIndex(records), id, [complete(job.id)]);
}

/** Idempotent; every file is a transaction of its own. */
export async function carryFiles(work: Work, cargo: Cargo): Promise<void> {
  const { thread_id, files } = cargo;
  const before = await linkedIds(work.table, { type: 'threads', id: thread_id }, 'files');
  const byId = new Map(files.map((file) => [file.file_id, file]));
  const ids = [...new Set([...before, ...byId.keys()])];
  await mapAtOnce(ids, FILES_AT_ONCE, (id) =>
    retryOnConflict(() => carryFile(work, cargo, id, byId.get(id))),
  );
}
