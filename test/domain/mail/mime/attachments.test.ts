import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeFileName } from '#shared/domain/mail/mime/attachments.ts';
import { imageSize } from '#shared/domain/mail/mime/image-size.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { longIt } from '../../../support/long.ts';
import { gif, jpeg, png } from './fixtures/images.ts';
import { multipartMail, type Part } from './mails.ts';

const html = (content: string): Part => ({ headers: ['Content-Type: text/html; charset=utf-8'], content });
const image = (id: string, content: Buffer, disposition = 'inline'): Part => ({
  headers: [
    `Content-Type: image/png; name="${id}.png"`,
    `Content-ID: <${id}>`,
    `Content-Disposition: ${disposition}`,
  ],
  content,
});
const attachmentsAndMore = (parts: Part[]) => parseMessage(multipartMail('related', parts));
const attachmentsOf = async (parts: Part[]) => (await attachmentsAndMore(parts)).attachments;

describe('attachments', () => {
  it('have name, type, size and content', async () => {
    const [attachment] = await attachmentsOf([
      { content: 'text' },
      {
        headers: ['Content-Type: Application/PDF; name="Report 1.pdf"', 'Content-Disposition: attachment'],
        content: Buffer.from('%PDF'),
      },
    ]);
    expect(attachment).toEqual({
      file_name: 'Report 1.pdf',
      content_type: 'application/pdf',
      size: 4,
      inline: false,
      content_id: null,
      decorative: false,
      content: new Uint8Array(Buffer.from('%PDF')),
    });
  });

  it.each([
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="..\\\\..\\\\x.exe"', 'x.exe'],
    ['filename="C:\\\\temp\\\\a.txt"', 'a.txt'],
    ['filename="/"', 'attachment.pdf'],
    ['filename=".."', 'attachment.pdf'],
    ['filename=""', 'attachment.pdf'],
    ['', 'attachment.pdf'],
    ['filename="=?utf-8?B?w6QucGRm?="', 'ä.pdf'],
    ["filename*=utf-8''%C3%A4%2F%C3%B6.pdf", 'ö.pdf'],
    ["filename*0*=utf-8''Jahres; filename*1*=%20bericht.pdf", 'Jahres bericht.pdf'],
    ['filename="a\tb\x07.pdf"', 'ab.pdf'],
    ['filename="=?utf-8?Q?exe=E2=80=AEfdp.exe?="', 'exefdp.exe'],
    ['filename=".htaccess"', '.htaccess'],
  ])('with %s is called %s', async (parameter, name) => {
    const [attachment] = await attachmentsOf([
      { content: 'text' },
      {
        headers: ['Content-Type: application/pdf', `Content-Disposition: attachment; ${parameter}`],
        content: Buffer.from('x'),
      },
    ]);
    expect(attachment!.file_name).toBe(name);
  });

  it('with two names have that of their disposition', async () => {
    const headers = [
      'Content-Type: application/x; name=b.pdf',
      'Content-Disposition: inline; filename=a.pdf',
    ];
    const [attachment] = await attachmentsOf([{ content: 'text' }, { headers, content: Buffer.from('x') }]);
    expect(attachment!.file_name).toBe('a.pdf');
  });

  longIt('of any name have a safe one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (name) => {
        const safe = safeFileName(name, 'application/x');
        expect(safe).not.toMatch(/[/\\\p{Cc}]/u);
        expect(safe).not.toMatch(/^\.*$/);
        expect(safe.length).toBeLessThanOrEqual(255);
        expect(safe.isWellFormed()).toBe(true);
      }),
    );
  });

  it('with a long name keep their extension', () => {
    expect(safeFileName(`${'a'.repeat(300)}.docx`, 'x/y')).toBe(`${'a'.repeat(250)}.docx`);
    expect(safeFileName(`${'a'.repeat(250)}${'😀'.repeat(10)}.png`, 'x/y').isWellFormed()).toBe(true);
  });

  it('with a long name keep what is no longer than an extension', () => {
    const [short, long] = [`.${'x'.repeat(19)}`, `.${'x'.repeat(20)}`];
    expect(safeFileName('a'.repeat(300) + short, 'x/y')).toBe('a'.repeat(235) + short);
    expect(safeFileName('a'.repeat(300) + long, 'x/y')).toBe('a'.repeat(255));
  });

  it('of an unknown type are bytes', async () => {
    const [attachment] = await attachmentsOf([
      { content: 'text' },
      {
        headers: ['Content-Type: a<b>/c', 'Content-Disposition: attachment; filename=a'],
        content: Buffer.from('x'),
      },
    ]);
    expect(attachment!.content_type).toBe('application/octet-stream');
  });

  it('of text that is not encoded keep their line ends and exclude the boundary', async () => {
    const content = 'a\r\n--b\r\n--b1x\r\n\r\nc';
    const [attachment] = await attachmentsOf([
      { content: 'text' },
      { headers: ['Content-Type: text/x-diff; name=a.patch'], content },
      { content: 'more text' },
    ]);
    expect(Buffer.from(attachment!.content).toString()).toBe(content);
  });

  const files = (count: number, name = 'a') =>
    attachmentsAndMore([
      { content: 'text' },
      ...Array.from({ length: count }, (_, i) => ({
        headers: [`Content-Type: application/x; name="${name}${i}"`, `Content-ID: <${name}${i}>`],
        content: Buffer.from(String(i)),
      })),
    ]);

  it('are kept up to 300, and the others are counted', async () => {
    const whole = await files(300);
    expect(whole.attachments.map(({ file_name }) => file_name)).toEqual(
      Array.from({ length: 300 }, (_, i) => `a${i}`),
    );
    expect(whole.attachments_omitted).toBe(0);
    const more = await files(302);
    expect(more.attachments).toEqual(whole.attachments);
    expect(more.attachments_omitted).toBe(2);
    expect(more.body).toMatchObject({ new_plain_text: 'text', truncated: false });
  });

  it('with long names are kept while the names fit into an item', async () => {
    const { attachments, attachments_omitted } = await files(300, '語'.repeat(240));
    expect(attachments.length).toBeGreaterThan(90);
    expect(attachments.length + attachments_omitted).toBe(300);
    const described = attachments.map(({ content: _, ...described }) => described);
    expect(Buffer.byteLength(JSON.stringify(described))).toBeLessThan(200_000);
  });

  it('are kept up to 150,000 bytes of names, types and ids', async () => {
    // With `application/x` each has 500 bytes.
    const named = (last: string) =>
      attachmentsAndMore(
        Array.from({ length: 300 }, (_, i) => ({
          headers: [
            `Content-Type: application/x; name="${String(i).padStart(200, '0')}${i === 299 ? last : ''}"`,
            `Content-ID: <${'i'.repeat(287)}>`,
          ],
          content: Buffer.from('x'),
        })),
      );
    expect((await named('')).attachments_omitted).toBe(0);
    expect((await named('x')).attachments_omitted).toBe(1);
  });

  it('in formats of Outlook are files like others', async () => {
    const content = Buffer.from('789f3e2223080102', 'hex');
    const headers = [
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      'Content-Disposition: attachment',
    ];
    const [attachment] = await attachmentsOf([{ content: 'text' }, { headers, content }]);
    expect(attachment).toMatchObject({
      file_name: 'winmail.dat',
      content_type: 'application/ms-tnef',
      size: 8,
    });
    expect(Buffer.from(attachment!.content)).toEqual(content);
  });

  it('that are messages stay whole', async () => {
    const inner = 'Subject: inner\r\n\r\ninner text';
    const parsed = await parseMessage(
      multipartMail('mixed', [
        { content: 'outer text' },
        { headers: ['Content-Type: message/rfc822'], content: inner },
      ]),
    );
    expect(parsed.body.new_plain_text).toBe('outer text');
    expect(parsed.attachments).toMatchObject([
      { file_name: 'attachment.eml', content_type: 'message/rfc822' },
    ]);
    expect(Buffer.from(parsed.attachments[0]!.content).toString()).toContain('inner text');
  });
});

describe('inline images', () => {
  it('are those the HTML shows, and images with that disposition', async () => {
    const attachments = await attachmentsOf([
      html('<p>See <img src="cid:Shown%40a"> <a href="https://x.example">cid:text</a></p>'),
      image('shown@a', png(600, 400), 'attachment'),
      image('unused', png(600, 400), 'attachment'),
      image('marked', png(600, 400), 'inline'),
      image('text', png(600, 400), 'attachment'),
    ]);
    expect(attachments.map((attachment) => [attachment.content_id, attachment.inline])).toEqual([
      ['shown@a', true],
      ['unused', false],
      ['marked', true],
      ['text', false],
    ]);
  });
});

describe('decorative images', () => {
  const quote = (content: string) =>
    `<div class="gmail_quote"><div class="gmail_attr">On Tue, 17 Nov 2009 Ann wrote:</div><blockquote>${content}</blockquote></div>`;

  longIt.each<[string, string, Buffer, boolean]>([
    ['a picture in the text', '<p>Look: <img src="cid:i"></p>', png(600, 400), false],
    ['a tracking pixel by its own size', '<p>Hi</p><img src="cid:i">', gif(1, 1), true],
    ['a tracking pixel by the HTML', '<p>Hi</p><img src="cid:i" width="1" height="1">', png(600, 400), true],
    ['a picture only in the quote', `<p>Hi</p>${quote('<img src="cid:i">')}`, png(600, 400), true],
    [
      'a picture in text and quote',
      `<p><img src="cid:i"></p>${quote('<img src="cid:i">')}`,
      png(600, 400),
      false,
    ],
    [
      'a picture in a Gmail signature',
      '<p>Hi</p><div class="gmail_signature"><img src="cid:i"></div>',
      png(600, 400),
      true,
    ],
    [
      'a picture below a signature line',
      '<p>Hi</p><p>-- </p><p>Ann <img src="cid:i"></p>',
      png(600, 400),
      true,
    ],
    [
      'a picture below a signature line that an element ends',
      '<p>Hi</p><p>-- </p><p><img src="cid:i"></p><div class="gmail_signature">Ann</div>',
      png(600, 400),
      true,
    ],
    ['a line that is not shown', '<p>Hi</p>', gif(600, 1), false],
    ['a logo of 10 kB', '<p><img src="cid:i"></p>', png(200, 50, 10_000 - 24), true],
    ['a logo of more than 10 kB', '<p><img src="cid:i"></p>', png(200, 50, 10_000 - 23), false],
    ['a picture of more than 50 pixels', '<p><img src="cid:i"></p>', png(200, 51, 10_000 - 24), false],
    ['a small logo', '<p>Hi</p><p><img src="cid:i"></p>', png(200, 48, 5000), true],
    ['a small chart', '<p>Hi</p><p><img src="cid:i"></p><p>See?</p>', png(160, 80, 2000), false],
    ['a picture shown small', '<p>Hi</p><p><img src="cid:i" height="48"></p>', png(2000, 600, 5000), true],
    ['a low but large file', '<p><img src="cid:i"></p>', png(2000, 60, 50_000), false],
    ['a small picture that is not shown', '<p>Hi</p>', png(200, 60), false],
    ['a pixel that is not shown', '<p>Hi</p>', gif(1, 1), true],
  ])('%s', async (_, content, bytes, decorative) => {
    const [attachment] = await attachmentsOf([html(content), image('i', bytes)]);
    expect(attachment!.decorative).toBe(decorative);
  });

  it('a file that is not an image is never decorative', async () => {
    const [attachment] = await attachmentsOf([
      html(quote('<img src="cid:i">')),
      { headers: ['Content-Type: application/pdf', 'Content-ID: <i>'], content: Buffer.from('x') },
    ]);
    expect(attachment!.decorative).toBe(false);
  });
});

describe('signatures of mail', () => {
  const file = (type: string, name: string): Part => ({
    headers: [
      `Content-Type: ${type}`,
      ...(name ? [`Content-Disposition: attachment; filename="${name}"`] : []),
    ],
    content: Buffer.from('x'),
  });

  it.each([
    ['application/pgp-signature', 'PGP.sig'],
    ['application/pkcs7-signature', 'smime.p7s'],
    ['Application/X-PKCS7-Signature', 'signed by Ann.p7s'],
  ])('of a signed mail are decorative: %s %s', async (type, name) => {
    const { attachments } = await parseMessage(
      multipartMail('signed', [{ content: 'text' }, file(type, name)]),
    );
    expect(attachments).toMatchObject([{ file_name: name, decorative: true }]);
  });

  // Of mail that came through a gateway, and of files that were signed before they were sent.
  it.each([
    ['application/pgp-signature', '', true],
    ['application/pgp-signature', 'signature.asc', true],
    ['application/pgp-signature', 'OpenPGP_signature.asc', true],
    ['application/pgp-signature', 'OpenPGP_signature', true],
    ['application/pkcs7-signature', 'SMIME.p7s', true],
    ['application/x-pkcs7-signature', '', true],
    ['application/pgp-signature', 'release.tar.gz.asc', false],
    ['application/pkcs7-signature', 'contract.pdf.p7s', false],
    ['application/pgp-keys', 'OpenPGP_0x1A2B.asc', false],
    ['application/pgp-keys', '', false],
    ['application/octet-stream', 'signature.asc', false],
    ['text/calendar', '', false],
  ])('of a mail whose signed part is gone: %s %s', async (type, name, decorative) => {
    const [attachment] = await attachmentsOf([{ content: 'text' }, file(type, name)]);
    expect(attachment).toMatchObject({ content_type: type.toLowerCase(), decorative });
  });

  it('leave what was signed a file', async () => {
    const { attachments } = await parseMessage(
      multipartMail('signed', [
        file('application/pdf', 'offer.pdf'),
        file('application/pgp-signature', 'offer.sig'),
      ]),
    );
    expect(attachments.map(({ decorative }) => decorative)).toEqual([false, true]);
  });
});

describe('imageSize', () => {
  it.each([
    ['PNG', png(30, 40)],
    ['GIF', gif(30, 40)],
    ['JPEG', jpeg(30, 40)],
  ])('reads %s', (_, bytes) => {
    expect(imageSize(bytes)).toEqual({ width: 30, height: 40 });
  });

  it.each([0xc4, 0xc8, 0xcc])('does not take the segment %i of a JPEG for a frame', (marker) => {
    const [start, rest] = [jpeg(30, 40).subarray(0, 2), jpeg(30, 40).subarray(2)];
    const segment = Buffer.from([0xff, marker, 0, 10, 8, 0, 1, 0, 1, 1, 1, 1]);
    expect(imageSize(Buffer.concat([start, segment, rest]))).toEqual({ width: 30, height: 40 });
  });

  it('gives null for anything else, also for beginnings', () => {
    for (const bytes of [png(1, 1), gif(1, 1), jpeg(1, 1)]) {
      for (let end = 0; end < bytes.length - 1; end++) expect(imageSize(bytes.subarray(0, end))).toBeNull();
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(imageSize(Uint8Array.from([0xff, 0xd8, ...bytes]))?.width ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
