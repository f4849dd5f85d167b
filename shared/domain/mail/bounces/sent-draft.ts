import { domainToASCII } from 'node:url';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import { maySend } from '#shared/domain/mail/drafts/policy.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { baseSubject } from '#shared/domain/mail/mime/threading.ts';
import { messagesWithId, readMessages } from '#shared/domain/mail/threads/message-ids.ts';
import type { Members } from '#shared/domain/mail/threads/refresh.ts';
import { type Message, mailboxesOf } from '#shared/domain/mail/threads/thread.ts';
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

/** For comparing addresses: the domain as servers know it. */
export function comparable(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/.exec(address.toLowerCase()) ?? [];
  return `${local}@${domainToASCII(domain) || domain}`;
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1_000);

/** Every recipient knows the Message-ID: what else copies have in common agrees as well. */
function isCopyOf(draft: Draft, { email_address }: Mailbox, message: Message): boolean {
  return (
    comparable(message.from?.email_address ?? '') === comparable(draft.from_email_address ?? email_address) &&
    inSeconds(message.sent) === inSeconds(Date.parse(draft.dated_at ?? draft.created_at)) &&
    message.base_subject === baseSubject(draft.subject)
  );
}

/** Of a draft that is being sent, or was: the messages in its mailbox that are its copy. */
export async function copiesOfDraft(table: Table, draft: Draft, mailbox: Mailbox): Promise<Message[]> {
  const rows = await messagesWithId(table, draft.account_id, hashOfId(draft.rfc_id ?? ''));
  const here = rows.filter((row) => mailboxesOf(row).has(mailbox.id));
  return (await readMessages(table, here)).filter((message) => isCopyOf(draft, mailbox, message));
}
