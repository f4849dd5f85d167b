import { LIST as CONVERSATIONS } from '#shared/domain/assistant/conversations/posting.ts';
import { storedStatuses } from '#shared/domain/assistant/proposals/proposal.ts';
import { statusList } from '#shared/domain/assistant/proposals/store.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { eml, givenMailbox, importMail, listAllThreads } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** One thread of which two users see one half each, with a mark in every field of every message of a half. */

export interface Half {
  user: TestUser;
  /** The prefix of every word and address that only this half has. */
  mark: string;
  mailbox: string;
  /** A contact of the user’s own, which nobody else sees. */
  contact: string;
  /** The values that only this half has, by their names. */
  secrets: Record<string, string>;
}

export interface MarkedThread {
  id: string;
  halves: [Half, Half];
}

/** The address in both halves. */
const COMMON = 'priya@ferries.example';

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

interface Letter {
  id: string;
  mark: string;
  to: string;
  sent: number;
  category: string;
  in_reply_to?: string;
}

const person = (mark: string, what: string) => `"${mark}${what}name" <${mark}${what}@ferries.example>`;

/** Two bodies, a file and an inline image, with the mark in everything that is read of them. */
function letter({ id, mark, to, sent, category, in_reply_to }: Letter): Buffer {
  const part = (headers: string[], content: string) => ['--part', ...headers, '', content].join('\r\n');
  const plain = `${mark}plain\r\n`;
  const html =
    `<p>${mark}text stands here, with an image <img src="cid:${mark}cid@x">.</p>` +
    `<p>On Mon, 2 Nov 2026 at 09:00, ${mark}quoter wrote:</p><blockquote>${mark}quote</blockquote>`;
  return eml({
    id,
    from: `"${mark}fromname" <${COMMON}>`,
    to: `${to}, ${person(mark, 'to')}`,
    cc: person(mark, 'cc'),
    subject: `${mark}subject`,
    date: new Date(sent).toUTCString().replace('GMT', '+0000'),
    ...(in_reply_to ? { in_reply_to } : {}),
    headers: [
      `Bcc: ${person(mark, 'bcc')}`,
      `X-Gmail-Labels: Inbox,Unread,Category ${category}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=part',
    ],
    text: [
      part(['Content-Type: multipart/alternative; boundary=body'], ''),
      `--body\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${plain}`,
      `--body\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`,
      '--body--',
      part(
        [`Content-Type: text/x-${mark}type`, `Content-Disposition: attachment; filename=${mark}file.txt`],
        'bytes',
      ),
      part(
        [
          'Content-Type: image/png',
          'Content-Transfer-Encoding: base64',
          `Content-ID: <${mark}cid@x>`,
          `Content-Disposition: inline; filename=${mark}image.png`,
        ],
        IMAGE,
      ),
      '--part--',
    ].join('\r\n'),
  });
}

interface Draft {
  user: TestUser;
  mark: string;
  category: string;
  /** The dates of its two messages, in seconds, each with unique digits. */
  sent: [number, number];
}

async function givenContact({ user, mark }: Draft): Promise<string> {
  const contact = {
    name: `${mark}contact`,
    visibility: 'private' as const,
    email_addresses: [{ email_address: COMMON }, { email_address: `${mark}cc@ferries.example` }],
  };
  return (await user.api.createContact({ body: { contact } })).body.contact.id;
}

/** The values that only one of the halves has: its mark, its ids and its timestamps. */
async function readHalf(id: string, draft: Draft, given: Pick<Half, 'mailbox' | 'contact'>) {
  const { user, mark, sent } = draft;
  const { thread } = (await user.reader.retrieveThread({ params: { id } })).body;
  const messages = thread.messages ?? [];
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  const secrets: Record<string, string> = { ...given };
  for (const [i, message] of messages.entries()) secrets[`message ${i}`] = message.id;
  for (const [i, attachment] of attachments.entries()) {
    secrets[`attachment ${i}`] = attachment.id;
    secrets[`file ${i}`] = attachment.file_id ?? '';
  }
  for (const [i, moment] of sent.entries()) {
    secrets[`moment ${i}`] = new Date(moment).toISOString();
    secrets[`rank ${i}`] = timeRank(moment);
  }
  return { user, mark, ...given, secrets };
}

/** The second user was a recipient of the first mail and never got it; the replies to it went to that user alone. */
export async function givenMarkedThread(workspace: Workspace, drafts: [Draft, Draft]): Promise<MarkedThread> {
  const [first, second] = drafts;
  const given: Pick<Half, 'mailbox' | 'contact'>[] = [];
  for (const draft of drafts)
    given.push({ mailbox: await givenMailbox(workspace, draft.user), contact: await givenContact(draft) });
  const deliver = async (i: 0 | 1, letters: Pick<Letter, 'id' | 'in_reply_to' | 'to'>[]) => {
    const { user, mark, category, sent } = drafts[i];
    const mail = letters.map((each, j) => letter({ ...each, mark, category, sent: sent[j] as number }));
    await importMail(workspace, user, given[i]?.mailbox as string, mail);
  };
  const [one, other] = [first.user.user.email_address, second.user.user.email_address];
  await deliver(0, [
    { id: 'first-1@x', to: `${one}, ${other}` },
    { id: 'first-2@x', to: one, in_reply_to: 'first-1@x' },
  ]);
  await deliver(1, [
    { id: 'second-1@x', to: other, in_reply_to: 'first-1@x' },
    { id: 'second-2@x', to: other, in_reply_to: 'second-1@x' },
  ]);
  const [seen] = await listAllThreads(first.user.reader, { mailbox_id: given[0]?.mailbox as string });
  const [also] = await listAllThreads(second.user.reader, { mailbox_id: given[1]?.mailbox as string });
  if (!seen || seen.id !== also?.id) throw new Error('The mails are not one thread');
  const halves = await Promise.all(
    drafts.map((draft, i) => readHalf(seen.id, draft, given[i] as Pick<Half, 'mailbox' | 'contact'>)),
  );
  return { id: seen.id, halves: halves as [Half, Half] };
}

/** All items that the table has for one user alone. */
export async function storedFor({ table }: Workspace, user_id: string): Promise<string> {
  const partitions = [
    keys.threadEntry(user_id, ''),
    keys.notification(user_id, ''),
    keys.conversation(user_id, ''),
    keys.posting(user_id, CONVERSATIONS, ''),
    ...storedStatuses.map((status) => keys.posting(user_id, statusList(status), '')),
  ].map(({ PK }) => PK);
  const items = await Promise.all([...new Set(partitions)].map((PK) => table.all(PK)));
  return JSON.stringify(items.flat());
}
