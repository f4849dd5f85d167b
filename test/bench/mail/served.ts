import { ImapMailbox } from '../../support/imap/mailbox.ts';
import { ImapServer } from '../../support/imap-server.ts';

/**
 * The mail server of the bench, a process of its own: `served.ts <messages> <bytes of each>`. It tells its port, and for
 * every message that it gets, how many commands it was asked since the one before.
 */

const [count = 0, bytes = 0] = process.argv.slice(2).map(Number);

/** A line of an attachment. */
const LINE = `${'QUJD'.repeat(19)}\r\n`;
const attachment = LINE.repeat(Math.ceil(bytes / LINE.length));

/** Answers belong to the message before them, in threads of four. */
function rawOf(i: number): Buffer {
  const first = i - (i % 4);
  const lines = [
    `Message-ID: <${i}@bench.example>`,
    `From: Correspondent ${i % 300} <c${i % 300}@globex.example>`,
    'To: ada@acme.example',
    `Subject: ${first === i ? '' : 'Re: '}Berth ${first}`,
    `Date: ${new Date(Date.UTC(2026, 0, 1) + i * 600_000).toUTCString()}`,
    ...(first === i ? [] : [`In-Reply-To: <${first}@bench.example>`, `References: <${first}@bench.example>`]),
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The berth of week ${i % 52} is free. Shall we take it?`,
    '--b',
    'Content-Type: application/octet-stream; name="plan.bin"',
    'Content-Disposition: attachment; filename="plan.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    `${attachment}--b--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

const server = await new ImapServer().start();
const mailbox = new ImapMailbox('right password');
server.users.set('ada', mailbox);
for (let i = 0; i < count; i++) {
  const message = mailbox.add('INBOX', '', { received_at: new Date(Date.UTC(2026, 0, 1) + i * 600_000) });
  // Written when it is asked for: a gigabyte is not kept.
  Object.defineProperty(message, 'raw', { get: () => rawOf(i) });
}
process.on('message', () => process.send?.({ commands: server.asked.splice(0).length }));
process.on('disconnect', () => process.exit(0));
process.send?.({ port: server.port });
