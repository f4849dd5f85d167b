/** Reports of mail that was not delivered, as servers write them (RFC 3464). */

interface Options {
  /** The type of the part with the mail; null for none. */
  returned?: string | null;
  status?: string;
  encoding?: '7bit' | 'base64' | 'quoted-printable';
  newline?: string;
  words?: string | null;
  /** Of the bytes. */
  charset?: 'utf8' | 'latin1';
  /** Of the report itself. */
  id?: string;
  to?: string;
}

function encoded(text: string, { encoding = '7bit', charset = 'utf8' }: Options): string {
  if (encoding === 'base64') return Buffer.from(text, charset).toString('base64');
  return encoding === 'quoted-printable' ? text.replaceAll('=', '=3D') : text;
}

let made = 0;

/** Of the mail with this Message-ID, with the fields of each recipient. */
export function reportMail(rfc_id: string | null, recipients: string[][], options: Options = {}): Buffer {
  const { returned = 'message/rfc822', status = 'message/delivery-status', newline = '\r\n' } = options;
  const { words = 'Your mail was not delivered.', encoding = '7bit', charset = 'utf8' } = options;
  const mail = [...(rfc_id === null ? [] : [`Message-ID: <${rfc_id}>`]), 'Subject: Winter', '', 'Hello.'];
  const header = returned?.toLowerCase().endsWith('headers') ? mail.slice(0, -2) : mail;
  const blocks = [
    ['Reporting-MTA: dns; mx.acme.example', 'Arrival-Date: Mon, 2 Nov 2026 10:00:00 +0000'],
    ...recipients,
  ];
  const part = (type: string, text: string) => [
    '--report',
    `Content-Type: ${type}`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    encoded(text, options),
  ];
  const lines = [
    'From: Mail Delivery System <mailer-daemon@mx.acme.example>',
    `To: ${options.to ?? 'ada@acme.example'}`,
    `Message-ID: <${options.id ?? `report-${++made}@mx.acme.example`}>`,
    'Subject: Undelivered Mail Returned to Sender',
    'Date: Mon, 02 Nov 2026 10:05:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=report',
    '',
    ...(words === null ? [] : part('text/plain', words)),
    ...part(status, blocks.map((fields) => fields.join(newline)).join(newline + newline)),
    ...(returned === null ? [] : part(returned, header.join(newline))),
    '--report--',
    '',
  ];
  return Buffer.from(lines.join(newline), charset);
}
