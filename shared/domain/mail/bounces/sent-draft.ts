import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import { maySend } from '#shared/domain/mail/drafts/policy.ts';
import type { Members } from '#shared/domain/mail/threads/refresh.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Whether a mail is one that the service sent from a mailbox: its Message-ID begins with the id of its draft. */

const OF_DRAFT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/;

export const isOfDraft = (rfc_id: string) => OF_DRAFT.test(rfc_id);

/** Undefined for a Message-ID that the service did not give to a mail of this mailbox. */
export async function sentDraft(
  table: Table,
  { users }: Members,
  mailbox_id: string,
  rfc_id: string,
): Promise<Draft | undefined> {
  const id = OF_DRAFT.exec(rfc_id)?.[1];
  if (id === undefined) return undefined;
  const senders = users.filter((user) => maySend(user, mailbox_id));
  const found = await table.getMany<Draft>(senders.map((user) => keys.sentDraft(user.id, id)));
  return found.find((draft) => draft.rfc_id === rfc_id && draft.mailbox_id === mailbox_id);
}
