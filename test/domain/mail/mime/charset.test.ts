import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNamed, decodeText } from '#shared/domain/mail/mime/charset.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { mail } from './mails.ts';

const hex = (digits: string) => Buffer.from(digits, 'hex');
const UTF8 = Buffer.from('Grüße, 日本');
/** `Grüße “€”` in windows-1252. */
const WINDOWS = hex('4772fcdf6520938094');

const UNCLEAR = [
  '',
  'us-ascii',
  'US-ASCII',
  'ascii',
  'ansi_x3.4-1968',
  'ISO646-US',
  'unknown',
  'unknown-8bit',
  'x-unknown',
  'default',
  'utf-7',
  'cp-850',
  'iso-2022-kr',
  'constructor',
  '__proto__',
];

describe('text in no known character set', () => {
  it.each(UNCLEAR)('%j is UTF-8, else windows-1252', async (charset) => {
    for (const [bytes, text] of [
      [UTF8, 'Grüße, 日本'],
      [WINDOWS, 'Grüße “€”'],
    ] as const) {
      const type = charset && `; charset=${charset}`;
      const { body } = await parseMessage(mail([`Content-Type: text/plain${type}`], bytes));
      expect(body.new_plain_text).toBe(text);
      const word = `=?${charset || 'x'}?B?${bytes.toString('base64')}?=`;
      expect((await parseMessage(mail([`Subject: ${word}`]))).subject).toBe(text);
    }
  });

  it.each([
    ['without a Content-Type', ['From: ann@a.example']],
    ['in HTML', ['Content-Type: text/html']],
    ['quoted-printable', ['Content-Transfer-Encoding: quoted-printable']],
  ])('%s too', async (_, fields) => {
    expect((await parseMessage(mail(fields, UTF8))).snippet).toBe('Grüße, 日本');
    expect((await parseMessage(mail(fields, WINDOWS))).snippet).toBe('Grüße “€”');
  });

  it('is read without loss', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.constantFrom(...UNCLEAR), (bytes, charset) => {
        const text = decodeNamed(bytes, charset);
        expect(text).not.toContain('\ufffd');
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        (text) => {
          expect(decodeNamed(Buffer.from(`.${text}`), 'us-ascii')).toBe(`.${text}`);
        },
      ),
    );
  });

  it('longer than what is read is cut at a character', async () => {
    const { body } = await parseMessage(
      mail(['From: ann@a.example'], Buffer.from(`a${'é'.repeat(3_000_000)}`)),
    );
    expect(body.truncated).toBe(true);
    expect(body.new_plain_text).toMatch(/^aé+$/);
  });
});

describe('a named character set', () => {
  it.each([
    ['x-sjis', '93fa967b', '日本'],
    ['Shift-JIS', '93fa967b', '日本'],
    ['shiftjis', '8740', '①'],
    ['cp932', '8740', '①'],
    ['windows-31j', '8740', '①'],
    ['gb2312', '8140', '丂'],
    ['x-gbk', 'c4e3', '你'],
    ['cp936', 'c4e3', '你'],
    ['gb18030', '8139ee39', '㐀'],
    ['iso-8859-1', '809394', '€“”'],
    ['latin-1', 'fc80', 'ü€'],
    ['ISO_8859-1:1987', 'fc', 'ü'],
    ['iso8859_15', 'a4', '€'],
    ['windows1251', 'cff0', 'Пр'],
    ['win-1251', 'cff0', 'Пр'],
    ['cp-1252', '80', '€'],
    ['koi8r', 'f0d2', 'Пр'],
    ['KOI8-U', 'a4', 'є'],
    ['ibm866', '8fe0', 'Пр'],
    ['x-big5', 'a741', '你'],
    ['cp950', 'a741', '你'],
    ['ks_c_5601-1987', 'bec8', '안'],
    ['uhc', 'bec8', '안'],
    ['utf8', 'c3bc', 'ü'],
    ['UTF-8', 'c3bc', 'ü'],
    ['x-utf-8', 'c3bc', 'ü'],
    ['utf-16', 'fc00', 'ü'],
    ['iso-2022-jp', '1b24422646 1b2842', 'ζ'],
    ['csiso2022jp', '1b24422646 1b2842', 'ζ'],
    ['iso-8859-8-i', 'e0', 'א'],
    ['tis-620', 'a1', 'ก'],
    ['"utf-8"', 'c3bc', 'ü'],
    ["'utf-8'", 'c3bc', 'ü'],
    [' utf-8 ; format=flowed', 'c3bc', 'ü'],
  ])('%s', (label, digits, text) => {
    expect(decodeText(hex(digits.replaceAll(' ', '')), label)).toBe(text);
  });

  it('is read where a parameter follows it in its quotes', async () => {
    const type = 'Content-Type: text/plain; charset="iso-8859-1; format=flowed"';
    expect((await parseMessage(mail([type], hex('fc')))).snippet).toBe('ü');
  });

  it('gives way to a byte order mark', () => {
    expect(decodeText(hex('efbbbfc3bc'), 'iso-8859-1')).toBe('ü');
    expect(decodeText(hex('feff00fc'), 'utf-16')).toBe('ü');
    expect(decodeText(hex('fffefc00'), 'us-ascii')).toBe('ü');
  });

  it('takes no more time for many names', () => {
    const labels = Array.from({ length: 2000 }, (_, i) => `made-up-${i}`);
    expect(new Set(labels.map((label) => decodeNamed(UTF8, label)))).toEqual(new Set(['Grüße, 日本']));
  });
});

describe('header fields with bytes that are not ASCII', () => {
  const fields = (text: Buffer) => [
    Buffer.concat([Buffer.from('Subject: '), text, Buffer.from('\r\n\t'), text]),
    Buffer.concat([Buffer.from('From: '), text, Buffer.from(' <ann@a.example>')]),
    Buffer.concat([Buffer.from('To: "'), text, Buffer.from('" <bob@b.example>')]),
    Buffer.concat([Buffer.from('Content-Type: application/x; name="'), text, Buffer.from('"')]),
  ];
  const message = (text: Buffer) =>
    Buffer.concat([...fields(text).flatMap((field) => [field, Buffer.from('\r\n')]), Buffer.from('\r\nx')]);

  it.each([
    ['UTF-8', Buffer.from('Zoë 日本'), 'Zoë 日本'],
    ['windows-1252', hex('5a6feb20938094'), 'Zoë “€”'],
  ])('are read as %s', async (_, bytes, text) => {
    const parsed = await parseMessage(message(bytes));
    expect(parsed).toMatchObject({
      subject: `${text} ${text}`,
      from: { name: text },
      to: [{ name: text }],
      attachments: [{ file_name: text }],
    });
  });

  it('are read each on its own', async () => {
    const raw = Buffer.concat([
      Buffer.from('Subject: Zo\u00eb\r\nFrom: Zo'),
      hex('eb'),
      Buffer.from(' <z@z.example>\r\n\r\nx'),
    ]);
    expect(await parseMessage(raw)).toMatchObject({ subject: 'Zoë', from: { name: 'Zoë' } });
  });
});

describe('extended parameters', () => {
  it.each([
    ["filename*=utf-8''%C3%A4.pdf", 'ä.pdf'],
    ["filename*=us-ascii''%C3%A4.pdf", 'ä.pdf'],
    ["filename*=us-ascii'en'%E4%80.pdf", 'ä€.pdf'],
    ["filename*=''%E4.pdf", 'ä.pdf'],
    ["filename*=x-unknown''%C3%A4.pdf", 'ä.pdf'],
    ["filename*=iso-8859-1''%E4%80.pdf", 'ä€.pdf'],
    ["filename*=shift_jis''%93%FA.pdf", '日.pdf'],
    ["filename*0*=unknown-8bit''%E4; filename*1*=%F6.pdf", 'äö.pdf'],
    ['filename="=?us-ascii?Q?=C3=A4?=.pdf"', 'ä.pdf'],
    ['filename="a*=x\'y\'z.pdf"', "a*=x'y'z.pdf"],
  ])('%s', async (parameter, name) => {
    const { attachments } = await parseMessage(
      mail(['Content-Type: application/pdf', `Content-Disposition: attachment; ${parameter}`], 'x'),
    );
    expect(attachments[0]!.file_name).toBe(name);
  });
});
