import type { ArchivePosition } from '#shared/domain/mail/archives/archive.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { keys } from '#shared/table/keys.ts';
import { among, at, mustExist, type Table, update, type Write } from '#shared/table/table.ts';
import { type Failure, type MailImport, type MailImportFailure, SHOWN_FAILURES } from './import.ts';

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

export function recordFailures(table: Table, id: string, failures: Failure[]): Promise<void> {
  return table.writeMany(
    failures.map((failure) => ({ put: { ...keys.mailImportFailure(id, failure.ordinal), ...failure } })),
  );
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
  unfinished_from?: number | undefined;
}

function unfinishedFrom(...of: { unfinished_from?: number | undefined }[]): { unfinished_from?: number } {
  const all = of.flatMap(({ unfinished_from }) => unfinished_from ?? []);
  return all.length === 0 ? {} : { unfinished_from: Math.min(...all) };
}

function counted(mailImport: MailImport, progress: Progress): Write[] {
  return [
    update<MailImport>(keys.mailImport(mailImport.id), {
      set: {
        position: progress.position,
        tries: 0,
        careful_until: progress.careful_until ?? 0,
        ...unfinishedFrom(mailImport, progress),
      },
      remove: ['suspect'],
      add: {
        messages_imported: progress.imported,
        messages_skipped: progress.skipped,
        messages_failed: progress.failed,
      },
      // Fails when another worker of this import has already counted these messages.
      when: { position: at('ordinal', mailImport.position.ordinal), status: 'importing' },
    }),
    update<Mailbox>(keys.mailbox(mailImport.account_id, mailImport.mailbox_id), {
      add: { messages_imported: progress.imported, messages_failed: progress.failed },
      when: mustExist,
    }),
  ];
}

/** Records counts and position. Throws Overtaken. */
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
    ...unfinishedFrom(mailImport, progress),
    position: progress.position,
    messages_imported: mailImport.messages_imported + progress.imported,
    messages_skipped: mailImport.messages_skipped + progress.skipped,
    messages_failed: mailImport.messages_failed + progress.failed,
  };
}

/** Completes the import and its job. */
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
