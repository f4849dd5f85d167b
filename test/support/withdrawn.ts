import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { messagesWithId } from '#shared/domain/mail/threads/message-ids.ts';
import { withdraw } from '#shared/domain/mail/threads/withdraw.ts';
import type { Workspace } from './workspace.ts';

/** Takes the messages with these Message-IDs out of a mailbox, as its server does. */
export async function withdrawMail(
  { table, ctx, account_id }: Workspace,
  mailbox_id: string,
  ...rfc_ids: string[]
): Promise<void> {
  const hashes = rfc_ids.map(hashOfId);
  const rows = await Promise.all(
    hashes.map(async (id_hash) =>
      (await messagesWithId(table, account_id, id_hash, mailbox_id)).map((row) => ({
        id: row.message_id,
        id_hash,
      })),
    ),
  );
  const members = await membersOf(table, account_id);
  const work = { table, members, now: ctx.clock, ports: ctx.ports };
  await withdraw(work, { account_id, id: mailbox_id }, rows.flat());
}
