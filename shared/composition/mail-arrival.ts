import { asOfNow } from '#shared/context.ts';
import { workOnThreads } from '#shared/domain/assistant/agents/thread-work.ts';
import { heldAddresses } from '#shared/domain/crm/contacts/addresses.ts';
import { contactsFromMail } from '#shared/domain/crm/contacts/from-mail/settle.ts';
import type { FollowsMail } from '#shared/domain/mail/arriving/arrived.ts';
import { followFiles } from '#shared/domain/mail/attachments/files.ts';
import { raiseLastMail } from '#shared/domain/mail/last-mail/raise.ts';
import { sortSometimes } from '#shared/domain/mail/texts/sort-sometimes.ts';
import { recordLists } from './record-lists.ts';
import { linkable } from './visibility.ts';

/** What follows from new mail. */
export const mailArrival: FollowsMail = {
  async mailArrived(ctx, { thread_ids, messages, people, heard, ...mail }) {
    const { table } = ctx;
    const { account_id, mailbox } = mail;
    await followFiles({ table, now: ctx.clock(), records: linkable }, thread_ids);
    await contactsFromMail({ ...asOfNow(ctx), ports: recordLists }, mail, people);
    const heldAmong = (addresses: string[]) => heldAddresses(table, account_id, addresses);
    await raiseLastMail(table, { account_id, mailbox_id: mailbox.id, heldAmong }, heard);
    await workOnThreads(ctx, mail.account_id, thread_ids);
    await sortSometimes(ctx, { mailbox, messages, heard });
  },
};
