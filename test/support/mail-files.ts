import { attachmentsOf } from '#shared/domain/mail/attachments/attachment.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import type { Message, StoredAttachment } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Draft } from './mail.ts';
import type { GivenThread } from './threads.ts';
import type { Workspace } from './workspace.ts';

/** Mail with files, and attachments without mail. */

export interface MailFile {
  name: string;
  type?: string;
  content: string | Buffer;
  /** Shown where the HTML names it. */
  content_id?: string;
}

/** RFC 2231: the name may have any character. */
const parameter = (name: string) => `filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`;

const partOf = ({ name, type, content, content_id }: MailFile) =>
  [
    `Content-Type: ${type ?? 'application/octet-stream'}`,
    `Content-Disposition: ${content_id ? 'inline' : 'attachment'}; ${parameter(name)}`,
    ...(content_id ? [`Content-ID: <${content_id}>`] : []),
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content)
      .toString('base64')
      .replaceAll(/(.{76})/g, '$1\r\n'),
  ].join('\r\n');

/** What makes a draft a mail with this HTML and these files. */
export function withFiles(html: string, files: MailFile[]): Pick<Draft, 'headers' | 'text'> {
  const parts = [`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`, ...files.map(partOf)];
  return {
    headers: ['MIME-Version: 1.0', 'Content-Type: multipart/related; boundary=part'],
    text: `--part\r\n${parts.join('\r\n--part\r\n')}\r\n--part--`,
  };
}

/** An attachment of a message that only the mailbox of the thread received; there are no bytes and no mail. */
export async function givenAttachment(
  { table }: Workspace,
  { id: thread_id, mailbox_id }: GivenThread,
  account_id: string,
): Promise<StoredAttachment> {
  const now = new Date();
  const [message_id, id, file_id] = [newId(now), newId(now), newId(now)];
  const attachment: StoredAttachment = {
    ...{ id, file_id, file_name: 'berths.pdf', content_type: 'application/pdf', size: 3 },
    ...{ inline: false, content_id: null, decorative: false },
  };
  const sent = now.getTime();
  const message = { id: message_id, account_id, id_hash: message_id, sent, attachments: [attachment] };
  await table.put({
    ...keys.messageId(account_id, message_id, message_id),
    ...{ message_id, thread_id, sent, mailbox_ids: new Set([mailbox_id]), deliveries: {}, copies: '' },
  } satisfies IdRow);
  await table.writeMany(attachmentsOf(message satisfies Partial<Message>).map((put) => ({ put })));
  return attachment;
}
