import { senderOf } from '#shared/config.ts';
import type { Letter } from '#shared/domain/platform/outgoing-mail/mail.ts';

/** What a mail says to programs. */
export function headersOf({ unsubscribe_url }: Letter): Record<string, string> {
  return {
    // RFC 3834, 5: no vacation answers to a mail that nobody reads the answers of.
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribe_url === undefined
      ? {}
      : {
          'List-Unsubscribe': `<${unsubscribe_url}>`,
          // RFC 8058, 3.1: the POST comes from the mail program, with one press.
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
  };
}

/**
 * A mail for nodemailer, which adds Date and Message-ID. Addresses are given as objects: as text, a comma would make two
 * of one.
 */
export function messageOf(letter: Letter, from: string) {
  const { to, subject, text, html } = letter;
  return {
    from: senderOf(from) ?? from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: headersOf(letter),
    // No file and no address is read for a mail.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
