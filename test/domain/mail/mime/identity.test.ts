import { describe, expect, it } from 'vitest';
import { ancestryOf, digestOf } from '#shared/domain/mail/mime/identity.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { mail, multipart } from './mails.ts';

const HEADERS = [
  'From: Ann Lee <ann@a.example>',
  'Message-ID: <m@a.example>',
  'To: bob@b.example, Eve <eve@e.example>',
  'Cc: cy@c.example, di@d.example',
  'Date: Tue, 17 Nov 2009 21:28:37 +0000',
  'Subject: The plan',
  'In-Reply-To: <p@a.example>',
  'References: <o@a.example> <p@a.example>',
];
const TEXT =
  'Yes, that works.\r\n\r\nOn Mon, 16 Nov 2009 at 9:00, Bob <bob@b.example> wrote:\r\n> Does it?\r\n';
const HTML = '<p>Yes, <b>that</b> works.</p>';
const FILE = ['Content-Type: application/pdf; name="a.pdf"', 'Content-ID: <f@a.example>'];

interface Written {
  headers?: string[];
  text?: string;
  html?: string;
  file?: string[];
  content?: string;
}

const parsed = ({ headers = HEADERS, text = TEXT, html, file = FILE, content = 'x' }: Written) => {
  const { header, body } = multipart('mixed', [
    { content: text },
    ...(html ? [{ headers: ['Content-Type: text/html'], content: html }] : []),
    { headers: file, content: Buffer.from(content) },
  ]);
  return parseMessage(mail([...headers, header], body));
};
const digest = async (written: Written) => digestOf(await parsed(written));

/** The header with another line in place of the one of that name; null leaves it out. */
const withLine = (name: string, line: string | null) =>
  HEADERS.flatMap((old) => (old.startsWith(`${name}:`) ? (line ?? []) : old));

describe('the digest of a message', () => {
  it.each<[string, Written]>([
    ['another Message-ID', { headers: withLine('Message-ID', null) }],
    ['a Bcc', { headers: [...HEADERS, 'Bcc: bo@b.example'] }],
    ['lines of servers', { headers: ['Received: from x; Tue, 17 Nov 2009 21:28:39 +0000', ...HEADERS] }],
    ['a status', { headers: [...HEADERS, 'Status: RO', 'X-Status: F', 'X-Gmail-Labels: Starred'] }],
    ['recipients in another order', { headers: withLine('To', 'To: eve@e.example, Bob <BOB@b.example>') }],
    ['copies in another order', { headers: withLine('Cc', 'Cc: di@d.example, cy@c.example') }],
    ['a folded subject', { headers: withLine('Subject', 'Subject: The\r\n  plan ') }],
    ['another zone', { headers: withLine('Date', 'Date: Tue, 17 Nov 2009 22:28:37 +0100') }],
    ['other line ends and blanks', { text: TEXT.replaceAll('\r\n', ' \n') }],
  ])('is the same with %s', async (_, other) => {
    expect(await digest(other)).toBe(await digest({}));
  });

  const CHANGES: Record<string, Written> = {
    'another sender': { headers: withLine('From', 'From: Ann Lee <bob@b.example>') },
    'another name of the sender': { headers: withLine('From', 'From: Bob <ann@a.example>') },
    'another recipient': { headers: withLine('To', 'To: bob@b.example') },
    'another copy': { headers: withLine('Cc', 'Cc: cy@c.example') },
    'a copy among the recipients': {
      headers: [...withLine('Cc', 'Cc: cy@c.example'), 'To: di@d.example'],
    },
    'another date': { headers: withLine('Date', 'Date: Tue, 17 Nov 2009 21:28:38 +0000') },
    'another subject': { headers: withLine('Subject', 'Subject: Theplan') },
    'no subject': { headers: withLine('Subject', null) },
    'another In-Reply-To': { headers: withLine('In-Reply-To', 'In-Reply-To: <q@a.example>') },
    'other References': { headers: withLine('References', 'References: <p@a.example> <o@a.example>') },
    'another text': { text: TEXT.replace('Yes', 'No') },
    'another quote': { text: TEXT.replace('Does it', 'Does she') },
    'other HTML': { html: HTML },
    'other HTML yet': { html: HTML.replace(/<\/?b>/g, '') },
    'another file name': { file: ['Content-Type: application/pdf; name="b.pdf"', FILE[1]!] },
    'another type': { file: ['Content-Type: application/x; name="a.pdf"', FILE[1]!] },
    'another Content-ID': { file: [FILE[0]!, 'Content-ID: <g@a.example>'] },
    'another content': { content: 'y' },
  };

  it('differs with each change that a reader can see', async () => {
    const digests = await Promise.all([{}, ...Object.values(CHANGES)].map(digest));
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('differs where some of the text was not read', async () => {
    const message = await parsed({});
    expect(digestOf({ ...message, body: { ...message.body, truncated: true } })).not.toBe(digestOf(message));
  });
});

describe('the ancestors of a message', () => {
  const ids = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `${from + i}@x`);

  it.each<[string, string[], string[], string[], string | undefined]>([
    ['none', [], [], [], undefined],
    ['the parent before its references from the right', ['p'], ['a', 'b'], ['p', 'b', 'a'], 'a'],
    ['each once', ['b', 'c'], ['a', 'b', 'a'], ['b', 'c', 'a'], 'a'],
    ['the last parent as the oldest', ['b', 'c'], [], ['b', 'c'], 'c'],
    ['40', [], ids(40), ids(40).toReversed(), '0@x'],
    [
      'of more than 40 the nearest 39 and the oldest',
      [],
      ids(41),
      [...ids(39, 2).toReversed(), '0@x'],
      '0@x',
    ],
    ['40 with the oldest first', ['0@x'], ids(40), ['0@x', ...ids(39, 1).toReversed()], '0@x'],
    ['of more than 40 the oldest once', ['0@x'], ids(60), ['0@x', ...ids(38, 22).toReversed()], '0@x'],
  ])('%s', (_, in_reply_to, references, nearest, oldest) => {
    expect(ancestryOf({ in_reply_to, references })).toEqual({ nearest, oldest });
  });
});
