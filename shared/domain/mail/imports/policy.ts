import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { MailImport } from './import.ts';
import { findImport } from './store.ts';

/** Users with access to a mailbox see its imports; 404 for others. */
export async function requireImport(ctx: CallerContext, mailbox_id: string, id: string): Promise<MailImport> {
  const [mailbox, mailImport] = await Promise.all([
    requireMailbox(ctx, mailbox_id),
    findImport(ctx.table, id),
  ]);
  if (mailImport?.mailbox_id !== mailbox.id) throw recordNotFound();
  return mailImport;
}
