import { domainToASCII } from 'node:url';
import { SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { senderOf } from '#shared/config.ts';
import { type Letter, MailRefused } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { clientOptions } from '#shared/services.ts';
import { headersOf } from './message.ts';

/** Amazon SES (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html). */

const clients = new Map<string, SESv2Client>();

/** One try in a call: a request that was repeated might send twice, and the queue repeats later. */
function clientFor(endpoint: string | undefined): SESv2Client {
  let client = clients.get(endpoint ?? '');
  if (!client) {
    client = new SESv2Client({ ...clientOptions(endpoint), maxAttempts: 1 });
    clients.set(endpoint ?? '', client);
  }
  return client;
}

/**
 * Errors about this mail: its recipient is not accepted, or the sandbox knows it not. A sender that is not verified is
 * the operator's fault, for which SES has the same name.
 */
function isFinal({ name, message }: SESv2ServiceException): boolean {
  if (name === 'BadRequestException') return true;
  return name === 'MessageRejected' && !/sending (?:paused|suspended)|not verified/i.test(message);
}

/** RFC 2047, 2: words of 75 characters at most, which no character spans. Ten characters are at most 40 bytes. */
function encoded(name: string): string {
  if (/^[ -~]*$/.test(name)) return `"${name}"`;
  const words = name.match(/.{1,10}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

/** SES takes addresses in ASCII: domains in Punycode, and local parts as they are. */
function ascii(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}

function fromOf(from: string): string {
  const { name = '', address = from } = senderOf(from) ?? {};
  return name ? `${encoded(name)} <${ascii(address)}>` : ascii(address);
}

const content = (Data: string) => ({ Data, Charset: 'UTF-8' });

export async function sendBySes(
  letter: Letter,
  from: string,
  endpoint: string | undefined,
  abortSignal: AbortSignal,
): Promise<void> {
  const { to, subject, text, html } = letter;
  const headers = Object.entries(headersOf(letter));
  const command = new SendEmailCommand({
    FromEmailAddress: fromOf(from),
    Destination: { ToAddresses: [ascii(to)] },
    Content: {
      Simple: {
        Subject: content(subject),
        Body: { Text: content(text), Html: content(html) },
        Headers: headers.map(([Name, Value]) => ({ Name, Value })),
      },
    },
  });
  try {
    await clientFor(endpoint).send(command, { abortSignal });
  } catch (error) {
    // Without the words of SES, which name the recipient.
    if (!(error instanceof SESv2ServiceException)) throw error;
    if (isFinal(error)) throw new MailRefused(error.name);
    throw new Error(`SES did not take the mail: ${error.name}`);
  }
}
