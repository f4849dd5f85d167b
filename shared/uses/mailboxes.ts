import type { Kind } from './kind.ts';
import { sealing } from './sealing.ts';

/**
 * The mail servers of mailboxes, and the key of the passwords. The servers are nothing in AWS, where only public ones
 * are called.
 */
export const mailboxes = {
  ...sealing,
  local: ['MAIL_ALLOW_PRIVATE_HOSTS'],
  libraries: {
    ...sealing.libraries,
    imapflow: { bytes: 330_000, reason: 'reads mailboxes by IMAP' },
    'iconv-lite': { bytes: 510_000, reason: 'reads names of folders: the tables of all character sets' },
    'encoding-japanese': { bytes: 240_000, reason: 'is part of imapflow' },
    nodemailer: { bytes: 250_000, reason: 'sends mail by SMTP' },
    'ipaddr.js': { bytes: 15_000, reason: 'tells which addresses are public' },
  },
} as const satisfies Kind;
