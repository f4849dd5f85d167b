import { domainToASCII } from 'node:url';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { baseSubject } from '#shared/domain/mail/mime/threading.ts';
import { messagesWithId, readMessages } from '#shared/domain/mail/threads/message-ids.ts';
import { type Message, mailboxesOf } from '#shared/domain/mail/threads/thread.ts';
import type { Table } from '#shared/table/table.ts';
import type { Draft } from './draft.ts';

/** Copies of sent drafts, as they come back from the server. */

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
  const rows = await messagesWithId(table, draft.account_id, hashOfId(draft.rfc_id ?? ''), mailbox.id);
  const here = rows.filter((row) => mailboxesOf(row).has(mailbox.id));
  return (await readMessages(table, here)).filter((message) => isCopyOf(draft, mailbox, message));
}
