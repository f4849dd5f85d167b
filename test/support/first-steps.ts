import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import { importPosting } from '#shared/domain/mail/imports/list.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** An import of a mailbox as it is stored, in any state; its id. */
export async function givenMailImport(
  { table, ctx }: Workspace,
  { user }: TestUser,
  mailbox_id: string,
  state: Partial<MailImport>,
): Promise<string> {
  const id = newId(ctx.now);
  const mailImport: MailImport = {
    ...keys.mailImport(id),
    ...{ id, mailbox_id, account_id: user.account_id, user_id: user.id, upload_id: id, job_id: id },
    ...{ file_name: 'a.mbox', size: 1, status: 'pending', position: { offset: 0, ordinal: 0 } },
    ...{ messages_total: null, messages_imported: 0, messages_skipped: 0, messages_failed: 0, error: null },
    ...{ created_at: ctx.now.toISOString(), started_at: null, finished_at: null },
    ...state,
  };
  await table.transact([{ put: mailImport }, { put: importPosting(mailImport) }]);
  return id;
}
