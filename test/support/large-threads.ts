import { gzipSync } from 'node:zlib';
import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import type { StoredBody } from '#shared/domain/mail/threads/body.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { GivenThread } from './threads.ts';
import type { Workspace } from './workspace.ts';

/** Threads with more mail than an import would write in reasonable time, written straight into the table. */

const START = Date.parse('2026-01-05T09:00:00Z');

export function htmlBody(text: string): ParsedBody {
  return {
    source_format: 'html',
    sanitized_html: `<p>${text}</p>`,
    new_plain_text: text,
    new_html: `<p>${text}</p>`,
    quoted_plain_text: null,
    quoted_html: null,
    has_quote_header: false,
    truncated: false,
  };
}

type Mail = Partial<Message> & { body?: ParsedBody };

/** Oldest first, a minute apart; returns their ids. Messages may share a body. */
export async function givenMessages(
  { table, account_id }: Workspace,
  thread: GivenThread,
  count: number,
  mail: (i: number) => Mail,
): Promise<string[]> {
  const ids: string[] = [];
  const packed = new Map<ParsedBody, Uint8Array>();
  const items: (Message | StoredBody)[] = [];
  for (let i = 0; i < count; i++) {
    const id = newId(new Date());
    const sent = START + i * 60_000;
    const { body, ...given } = mail(i);
    ids.push(id);
    items.push({
      ...keys.message(thread.id, sent, id),
      id,
      thread_id: thread.id,
      account_id,
      rfc_id: `${id}@large.example`,
      id_hash: hashOfId(`${id}@large.example`),
      ancestors: [],
      base_subject: 'ferry times',
      received_in: { [thread.mailbox_id]: sent },
      subject: 'Ferry times',
      sent,
      from: { email_address: 'moira@ferries.example', name: 'Moira' },
      to: [],
      cc: [],
      bcc: [],
      automatic: false,
      category: null,
      snippet: `Message ${i}`,
      attachments: [],
      mailbox_ids: new Set([thread.mailbox_id]),
      ...given,
    });
    if (!body) continue;
    const compressed = packed.get(body) ?? gzipSync(JSON.stringify(body));
    packed.set(body, compressed);
    items.push({ ...keys.body(thread.id, id), message_id: id, compressed });
  }
  await table.writeMany(items.map((put) => ({ put })));
  return ids;
}
