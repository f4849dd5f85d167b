import { asOfNow } from '#shared/context.ts';
import { workOnThreads } from '#shared/domain/assistant/agents/thread-work.ts';
import { contactsFromMail } from '#shared/domain/crm/contacts/from-mail/settle.ts';
import { followFiles } from '#shared/domain/mail/attachments/files.ts';
import type { FollowsMail } from '#shared/domain/mail/imports/arrived.ts';
import { recordLists } from './record-lists.ts';
import { linkable } from './visibility.ts';

/** What follows from new mail. */
export const mailArrival: FollowsMail = {
  async mailArrived(ctx, { thread_ids, people, ...mail }) {
    await followFiles({ table: ctx.table, now: ctx.clock(), records: linkable }, thread_ids);
    await contactsFromMail({ ...asOfNow(ctx), ports: recordLists }, mail, people);
    await workOnThreads(ctx, mail.account_id, thread_ids);
  },
};
