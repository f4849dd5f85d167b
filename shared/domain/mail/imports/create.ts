import type { Upload } from '#shared/domain/collaboration/uploads/upload.ts';
import { useOf } from '#shared/domain/collaboration/uploads/use.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { creationOf, type Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist } from '#shared/table/table.ts';
import type { MailImport } from './import.ts';
import { importPosting } from './list.ts';

/**
 * The import, its job and the use of its upload are one transaction: 409 `upload_already_used` for a second import of
 * the upload.
 */
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
    contact_creation: creationOf(mailbox),
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
  await commit(ctx, {
    writes: [{ put: mailImport, when: mustNotExist }, { put: importPosting(mailImport) }, useOf(upload, now)],
    jobs: [job],
  });
  return mailImport;
}
