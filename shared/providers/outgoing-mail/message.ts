import { senderOf } from '#shared/config.ts';
import type { Letter } from '#shared/domain/platform/outgoing-mail/mail.ts';

/** RFC 3834, 5: no vacation answers to a mail that nobody reads the answers of. */
export const AUTO_SUBMITTED = { name: 'Auto-Submitted', value: 'auto-generated' };

/**
 * A mail for nodemailer, which adds Date and Message-ID. Addresses are given as objects: as text, a comma would make two
 * of one.
 */
export function messageOf({ to, subject, text, html }: Letter, from: string) {
  return {
    from: senderOf(from) ?? from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { [AUTO_SUBMITTED.name]: AUTO_SUBMITTED.value },
    // No file and no address is read for a mail.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
