import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { written } from './attribution.ts';
import { type Charset, encodedWords, encodeText, transferEncoded } from './charsets.ts';
import { headerDate } from './clock.ts';
import { type Draft, type Person, references } from './draft.ts';
import { looks } from './looks.ts';
import { htmlOf, imagesOf, textOf } from './render.ts';

/** Turns a draft into the bytes that arrive in a mailbox. */
export async function compose(draft: Draft): Promise<Buffer> {
  const { charset, transfer = 'base64' } = draft.from;
  if (charset) return byHand(draft, charset, transfer);
  const html = draft.only === 'text' ? null : htmlOf(draft);
  const text = draft.only === 'html' ? undefined : `${textOf(draft)}\n`;
  const address = (person: Person) => ({ name: person.name, address: person.address });
  const composed = await new MailComposer({
    from: address(draft.from),
    to: draft.to.map(address),
    cc: draft.cc.map(address),
    subject: draft.subject ?? undefined,
    date: headerDate(draft.sent, draft.from.zone),
    messageId: `<${draft.id}>`,
    inReplyTo: draft.parent ? `<${draft.parent.id}>` : undefined,
    references: references(draft).map((id) => `<${id}>`),
    headers: headersOf(draft),
    text,
    html: html ?? undefined,
    icalEvent: draft.calendar ? { method: 'REQUEST', content: draft.calendar } : undefined,
    attachments: [
      ...imagesOf(draft)
        .filter((image) => html?.includes(`cid:${image.cid}`))
        .map((image) => ({
          cid: image.cid,
          filename: image.filename,
          content: image.png,
          contentType: 'image/png',
        })),
      ...(draft.files ?? []).map((file) => ({
        filename: file.filename,
        content: file.content,
        contentType: file.type,
      })),
    ],
    baseBoundary: boundaryOf(draft),
    boundaryPrefix: '----',
    newline: 'win',
  })
    .compile()
    .build();
  return draft.withoutMessageId ? withoutHeader(composed, 'Message-ID') : composed;
}

function headersOf(draft: Draft): Record<string, string> {
  const look = draft.client === 'plain' || draft.html !== undefined ? {} : looks[draft.client].headers;
  return { ...look, ...draft.headers };
}

function boundaryOf(draft: Draft): string {
  return createHash('sha256').update(draft.id).digest('hex').slice(0, 20);
}

/** MailComposer always adds a Message-ID; some old machines do not. */
function withoutHeader(message: Buffer, name: string): Buffer {
  const end = message.indexOf('\r\n\r\n');
  const header = message.subarray(0, end).toString('latin1');
  const kept = header.replace(new RegExp(`^${name}:.*(\\r\\n[ \\t].*)*\\r\\n`, 'im'), '');
  return Buffer.concat([Buffer.from(kept, 'latin1'), message.subarray(end)]);
}

/** Writes a message in an old charset, which MailComposer leaves to others. */
function byHand(draft: Draft, charset: Charset, transfer: 'quoted-printable' | 'base64' | '7bit'): Buffer {
  const words = (text: string) => encodedWords(text, charset);
  const person = (each: Person) =>
    /^[\x20-\x7e]*$/.test(each.name) ? written(each) : `${words(each.name)} <${each.address}>`;
  const people = (list: readonly Person[]) => list.map(person).join(',\r\n ');
  const chain = references(draft).map((id) => `<${id}>`);
  const headers = [
    `From: ${person(draft.from)}`,
    `To: ${people(draft.to)}`,
    draft.cc.length > 0 && `Cc: ${people(draft.cc)}`,
    draft.subject !== null && `Subject: ${words(draft.subject)}`,
    `Date: ${headerDate(draft.sent, draft.from.zone)}`,
    `Message-ID: <${draft.id}>`,
    chain.length > 0 && `In-Reply-To: ${chain.at(-1)}`,
    chain.length > 0 && `References: ${chain.join('\r\n ')}`,
    ...Object.entries(headersOf(draft)).map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
  ].filter((line) => typeof line === 'string');
  const leaf = (type: string, text: string) =>
    `Content-Type: ${type}; charset=${charset}\r\nContent-Transfer-Encoding: ${transfer}\r\n\r\n${transferEncoded(encodeText(text, charset), transfer)}\r\n`;
  const multipart = (kind: string, name: string, parts: string[]) => {
    const boundary = `----=_${name}_${boundaryOf(draft)}`;
    const inner = parts.map((part) => `--${boundary}\r\n${part}`).join('');
    return `Content-Type: multipart/${kind};\r\n boundary="${boundary}"\r\n\r\n${inner}--${boundary}--\r\n`;
  };
  const html = draft.only === 'text' ? null : htmlOf(draft)?.replace('charset=UTF-8', `charset=${charset}`);
  const plain = leaf('text/plain', textOf(draft));
  const body = html ? multipart('alternative', 'Alt', [plain, leaf('text/html', html)]) : plain;
  const files = (draft.files ?? []).map((file) => {
    const name = [...encodeText(file.filename, charset)].map(percent).join('');
    const disposition = `Content-Disposition: attachment;\r\n filename*=${charset}''${name}`;
    return `Content-Type: ${file.type}\r\nContent-Transfer-Encoding: base64\r\n${disposition}\r\n\r\n${transferEncoded(file.content, 'base64')}\r\n`;
  });
  const content = files.length > 0 ? multipart('mixed', 'Mix', [body, ...files]) : body;
  return Buffer.from(`${headers.join('\r\n')}\r\n${content}`, 'latin1');
}

function percent(byte: number): string {
  const char = String.fromCharCode(byte);
  return /[A-Za-z0-9._-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
