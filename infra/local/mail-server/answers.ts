import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import type { Submitted } from './submission.ts';

/** What people outside answer, so that mail arrives. */

/** Undefined for mail that no person wrote (RFC 3834). */
export async function answerTo({ from, raw }: Submitted, writer: string): Promise<Buffer | undefined> {
  const { subject = '', messageId, references = '', headers } = await PostalMime.parse(raw);
  if (headers.some(({ key }) => key === 'auto-submitted') || from === '') return undefined;
  const answer = new MailComposer({
    from: writer,
    to: from,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    ...(messageId ? { inReplyTo: messageId, references: `${references} ${messageId}`.trim() } : {}),
    headers: { 'Auto-Submitted': 'auto-replied' },
    text: `Your mail arrived: this is the answer of the mail server on this machine.\n\n${writer}\n`,
  });
  return answer.compile().build();
}
