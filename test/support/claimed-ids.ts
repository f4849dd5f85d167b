import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Workspace } from './workspace.ts';

/** As after so many later mails in a mailbox that claim a Message-ID, before the genuine one in the order of their ids. */
export async function claimId(
  { table, account_id }: Workspace,
  mailbox_id: string,
  rfc_id: string,
  mails: number,
): Promise<void> {
  const later = Date.now() + 86_400_000;
  const rows = Array.from({ length: mails }, (_, n): IdRow => {
    const message_id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    return {
      ...keys.messageId(account_id, hashOfId(rfc_id), message_id),
      ...{ message_id, thread_id: message_id, sent: later, copies: '' },
      ...{ mailbox_ids: new Set([mailbox_id]), deliveries: { [mailbox_id]: 'a stranger' } },
      received_in: { [mailbox_id]: later },
    };
  });
  await table.writeMany(rows.map((put) => ({ put })));
}
