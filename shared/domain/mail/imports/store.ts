import type { Upload } from '#shared/domain/collaboration/uploads/upload.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { ArchivePosition } from '#shared/domain/mail/archives/archive.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete, newJob } from '#shared/domain/platform/jobs/job.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import {
  among,
  at,
  ConditionFailed,
  missing,
  mustExist,
  mustNotExist,
  present,
  type Table,
  update,
  type Write,
} from '#shared/table/table.ts';
import { type MailImport, type MailImportFailure, SHOWN_FAILURES } from './import.ts';

/** The import, its job and the use of its upload are one transaction: 409 `upload_already_used` for the second of two. */
export async function createImport(
  ctx: CallerContext,
  mailbox: Mailbox,
  upload: Upload,
): Promise<MailImport> {
  const { caller, now } = ctx;
  const id = newId(now);
  const job = newJob('import-mail', { import_id: id }, now);
  const mailImport: MailImport = {
    ...keys.mailImport(id),
    id,
    account_id: caller.account.id,
    mailbox_id: mailbox.id,
    user_id: caller.user.id,
    upload_id: upload.id,
    job_id: job.id,
    file_name: upload.file_name,
    size: upload.size,
    status: 'pending',
    position: { offset: 0, ordinal: 0 },
    messages_total: null,
    messages_imported: 0,
    messages_skipped: 0,
    messages_failed: 0,
    error: null,
    created_at: now.toISOString(),
    started_at: null,
    finished_at: null,
  };
  const use = update<Upload>(keys.upload(upload.id), {
    set: { used_at: now.toISOString() },
    when: { PK: present, used_at: missing },
  });
  await commit(ctx, {
    writes: [
      { put: mailImport, when: mustNotExist },
      { ...use, otherwise: () => new ApiError('upload_already_used') },
    ],
    jobs: [job],
  });
  return mailImport;
}

export function findImport(table: Table, id: string): Promise<MailImport | undefined> {
  return table.get<MailImport>(keys.mailImport(id));
}

export async function firstFailures(table: Table, id: string): Promise<MailImportFailure[]> {
  const { items } = await table.query<MailImportFailure>({
    partition: keys.mailImport(id).PK,
    sort: { begins: 'FAILURE#' },
    limit: SHOWN_FAILURES,
  });
  return items;
}

export function recordFailures(
  table: Table,
  id: string,
  failures: Pick<MailImportFailure, 'ordinal' | 'name' | 'reason' | 'message'>[],
): Promise<void> {
  return table.writeMany(
    failures.map((failure) => ({ put: { ...keys.mailImportFailure(id, failure.ordinal), ...failure } })),
  );
}

/** Another worker has the same import and was faster; it goes on. */
export class Overtaken extends Error {}

export async function unlessOvertaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionFailed) throw new Overtaken('Another worker was faster', { cause: error });
    throw error;
  }
}

export function beginImport(table: Table, id: string, total: number, now: Date): Promise<MailImport> {
  return unlessOvertaken(
    table.update<MailImport>(keys.mailImport(id), {
      set: { status: 'importing', messages_total: total, started_at: now.toISOString() },
      when: { status: 'pending' },
    }),
  );
}

export interface Progress {
  position: ArchivePosition;
  imported: number;
  skipped: number;
  failed: number;
  /** See MailImport. */
  careful_until?: number;
}

function counted(mailImport: MailImport, progress: Progress): Write[] {
  return [
    update<MailImport>(keys.mailImport(mailImport.id), {
      set: { position: progress.position, tries: 0, careful_until: progress.careful_until ?? 0 },
      remove: ['suspect'],
      add: {
        messages_imported: progress.imported,
        messages_skipped: progress.skipped,
        messages_failed: progress.failed,
      },
      // Fails when another worker of this import has counted these messages already.
      when: { position: at('ordinal', mailImport.position.ordinal), status: 'importing' },
    }),
    update<Mailbox>(keys.mailbox(mailImport.account_id, mailImport.mailbox_id), {
      add: { messages_imported: progress.imported, messages_failed: progress.failed },
      when: mustExist,
    }),
  ];
}

/** Counts what was done and moves the position. Throws Overtaken. */
export async function recordProgress(
  table: Table,
  mailImport: MailImport,
  progress: Progress,
): Promise<MailImport> {
  await unlessOvertaken(table.transact(counted(mailImport, progress)));
  const { tries, suspect, ...rest } = mailImport;
  return {
    ...rest,
    careful_until: progress.careful_until ?? 0,
    position: progress.position,
    messages_imported: mailImport.messages_imported + progress.imported,
    messages_skipped: mailImport.messages_skipped + progress.skipped,
    messages_failed: mailImport.messages_failed + progress.failed,
  };
}

/** Ends the import and its job. */
export async function finishImport(
  table: Table,
  mailImport: MailImport,
  error: MailImport['error'],
  now: Date,
): Promise<void> {
  await unlessOvertaken(
    table.transact([
      update<MailImport>(keys.mailImport(mailImport.id), {
        set: { status: error ? 'failed' : 'complete', finished_at: now.toISOString(), error },
        when: { status: among<MailImport['status']>('pending', 'importing') },
      }),
      complete(mailImport.job_id),
    ]),
  );
}
