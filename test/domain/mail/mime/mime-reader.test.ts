import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { longIt } from '../../../support/long.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const parse = (raw: Buffer | string) => parseMessage(Buffer.from(raw));
const latin1 = (text: string) => Buffer.from(text, 'latin1');

type Encoding = '7bit' | '8bit' | 'binary' | 'quoted-printable' | 'base64';
type Leaf = { type: string; encoding: Encoding; content: Uint8Array };
type Tree = Leaf | { parts: Tree[]; preamble: string; epilogue: string };

/** Bytes in which line ends, white space and the first bytes of delimiters and escapes are as likely as all others. */
const bytes = (encoding: Encoding) => {
  const any = fc.integer({ min: 0, max: encoding === '7bit' ? 127 : 255 });
  const special = fc.constantFrom(...latin1('\r\n\r\n \t=-A'));
  return fc.array(fc.oneof(any, special), { maxLength: 120 }).map((list) => Uint8Array.from(list));
};
const leaf: fc.Arbitrary<Leaf> = fc
  .constantFrom<Encoding>('7bit', '8bit', 'binary', 'quoted-printable', 'base64')
  .chain((encoding) =>
    fc.record({
      type: fc.constantFrom(
        'application/octet-stream',
        'text/plain; charset=utf-16',
        'text/plain; charset=iso-8859-1; format=flowed; delsp=yes',
        'text/html; charset=koi8-r',
        'text/calendar; method=REQUEST',
        'message/rfc822',
        'application/pgp-signature',
        'multipart-like/x; boundary=b',
      ),
      encoding: fc.constant(encoding),
      content: bytes(encoding),
    }),
  );
const { tree } = fc.letrec<{ tree: Tree; node: Tree }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('node')),
  node: fc.record({
    parts: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
    preamble: fc.constantFrom('', 'This is multipart.', '--', '\r\n\r\n'),
    epilogue: fc.constantFrom('', '\n', 'after', '--x--'),
  }),
}));

function quotedPrintable(content: Uint8Array, eol: string): Buffer {
  const text = Buffer.from(content).toString('latin1');
  const lines = text.split(eol).map((line) => {
    const escaped = [...line].map((char) =>
      /[!-<>-~]/.test(char) ? char : `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
    const broken = [];
    for (let at = 0; at < escaped.length; at += 20) broken.push(escaped.slice(at, at + 20).join(''));
    // Transports may add white space to the ends of lines.
    return `${broken.join(`= \t${eol}`)} `;
  });
  return latin1(lines.join(eol));
}

function encoded({ encoding, content }: Leaf, eol: string): Uint8Array {
  if (encoding === 'quoted-printable') return quotedPrintable(content, eol);
  if (encoding !== 'base64') return content;
  return latin1(
    Buffer.from(content)
      .toString('base64')
      .replace(/.{1,20}/g, `$&${eol}`),
  );
}

function built(part: Tree, eol: string, path = '0'): Buffer {
  const lines = (...texts: string[]) => latin1(texts.map((text) => `${text}${eol}`).join(''));
  if ('content' in part) {
    const fields = [
      `Content-Type: ${part.type}`,
      'Content-Disposition: attachment; filename=a',
      `Content-Transfer-Encoding: ${part.encoding}`,
    ];
    return Buffer.concat([lines(...fields, ''), encoded(part, eol)]);
  }
  const boundary = `=_delimiter_${path}`;
  const children = part.parts.flatMap((child, index) => [
    latin1(`${eol}--${boundary}${eol}`),
    built(child, eol, `${path}.${index}`),
  ]);
  return Buffer.concat([
    lines(`Content-Type: multipart/mixed; boundary="${boundary}"`, ''),
    latin1(part.preamble),
    ...children,
    latin1(`${eol}--${boundary}--${eol}${part.epilogue}`),
  ]);
}

const leavesOf = (part: Tree): Leaf[] => ('content' in part ? [part] : part.parts.flatMap(leavesOf));

describe('attachments', () => {
  longIt('are read back byte for byte in every transfer encoding, at any depth', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.constantFrom('\r\n', '\n'), async (part, eol) => {
        const raw = Buffer.concat([latin1(`Subject: a${eol}`), built(part, eol)]);
        const { attachments } = await parse(raw);
        expect(attachments.map(({ content }) => sha256(content))).toEqual(
          leavesOf(part).map(({ content }) => sha256(content)),
        );
        expect(attachments.map(({ size }) => size)).toEqual(
          leavesOf(part).map(({ content }) => content.length),
        );
      }),
      { numRuns: 1000 },
    );
  });

  const withPart = async (fields: string, content: string, end = '\r\n--b--\r\n') => {
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${fields}\r\n\r\n${content}${end}`;
    const { attachments } = await parse(latin1(raw));
    return Buffer.from(attachments[0]!.content).toString('latin1');
  };

  it.each<[string, string, string]>([
    ['8bit', 'a\r\nb', 'a\r\nb'],
    ['7bit', 'a\rb\nc\r\n\r\n', 'a\rb\nc\r\n\r\n'],
    ['', '', ''],
    ['quoted-printable', 'a=0D=0Ab=\r\nc  \r\nd', 'a\r\nbc\r\nd'],
    ['quoted-printable', 'a= \t\r\nb=\r\n', 'ab'],
    ['quoted-printable', '=e9=E9=4=ZZ=', 'éé=4=ZZ'],
    ['quoted-printable', 'a\rb \t c=', 'a\rb \t c'],
    ['"quoted-printable" (as usual)', '=41', 'A'],
    ['base64', 'QQ==\r\nQUI=\r\nQUJD', 'AABABC'],
    ['base64', 'Q!U\0J\r\nD', 'ABC'],
    ['x-uuencode', 'begin 644 a\r\nend', 'begin 644 a\r\nend'],
  ])('in %j: %j is %j', async (encoding, content, bytesSent) => {
    const fields = `Content-Type: application/x${encoding && `\r\nContent-Transfer-Encoding: ${encoding}`}`;
    expect(await withPart(fields, content)).toBe(bytesSent);
  });

  it('without an end delimiter go to the end of the message', async () => {
    expect(await withPart('Content-Type: application/x', 'a\r\n--bb\r\n--b-\r\n --b\r\n', '')).toBe(
      'a\r\n--bb\r\n--b-\r\n --b\r\n',
    );
  });

  it.each([997, 998, 2000])('do not end at a boundary with %i blanks before other text', async (count) => {
    const content = `a\r\n--b${' '.repeat(count)}x\r\n`;
    expect(await withPart('Content-Type: application/x', content, '')).toBe(content);
  });

  it.each(['--b \t\r\n', '--b--\t\r\n', '--b', '--b--'])('end before the delimiter %j', async (delimiter) => {
    expect(await withPart('Content-Type: application/x', 'a', `\r\n${delimiter}`)).toBe('a');
  });

  it('that are messages with parts of their own stay one file', async () => {
    const inner = 'Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\ntext\r\n--c--\r\n';
    expect(await withPart('Content-Type: message/rfc822', inner)).toBe(inner);
  });
});

describe('a boundary', () => {
  it.each([
    ['boundary="b "', '--b', '--b--'],
    ['boundary=b', '--b  ', '--b-- '],
    ['boundary="b--"', '--b--', '--b----'],
    ['boundary="b:\'()+_,-./=? c"', "--b:'()+_,-./=? c", "--b:'()+_,-./=? c--"],
    ['boundary*0=b; boundary*1=c', '--bc', '--bc--'],
    ['BOUNDARY=b; boundary=c', '--b', '--b--'],
    [`boundary=${'b'.repeat(200)}`, `--${'b'.repeat(200)}`, `--${'b'.repeat(200)}--`],
  ])('as %s is found', async (parameter, open, close) => {
    const { attachments, body } = await parse(
      `Content-Type: multipart/mixed; ${parameter}\n\n${open}\n\ntext\n${open}\nContent-Type: a/b\n\nfile\n${close}\nafter`,
    );
    expect(body.new_plain_text).toBe('text');
    expect(attachments.map(({ content }) => Buffer.from(content).toString())).toEqual(['file']);
  });

  it('that two multiparts share belongs to the inner one', async () => {
    const { attachments, body } = await parse(
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: a/b\n\none\n--b--\n--b\nContent-Type: a/b\n\ntwo\n--b--',
    );
    expect(body.new_plain_text).toBe('text');
    expect(attachments.map(({ content }) => Buffer.from(content).toString())).toEqual(['one', 'two']);
  });
});

describe('a multipart without parts', () => {
  it.each([
    'Content-Type: multipart/mixed\n\nHello\n--b\n\nBob',
    'Content-Type: multipart/mixed; boundary=other\n\nHello\n--b\n\nBob',
  ])('is read as text: %j', async (raw) => {
    const { body } = await parse(raw);
    expect(body).toMatchObject({ source_format: 'plain', new_plain_text: 'Hello\n--b\n\nBob' });
  });

  it('ends at its last delimiter', async () => {
    const { body } = await parse('Content-Type: multipart/mixed; boundary=b\n\nHello\n--b--\nafter');
    expect(body.new_plain_text).toBe('Hello');
  });

  it('inside another is a text among others', async () => {
    const { body, attachments } = await parse(
      'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nOne\n--b\nContent-Type: multipart/mixed; boundary=c\n\nTwo\n--b--',
    );
    expect(body.new_plain_text).toMatch(/One\s+Two/);
    expect(attachments).toEqual([]);
  });
});
