import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeWords } from '#shared/domain/mail/mime/encoded-words.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { mail } from './mails.ts';

describe('encoded words', () => {
  it.each([
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?UTF-8?b?R3LDvMOfZQ==?=', 'Grüße'],
    ['Re: =?utf-8?q?a_b=5Fc?= d', 'Re: a b_c d'],
    ['=?utf-8?Q?a?= =?utf-8?Q?b?=', 'ab'],
    ['=?utf-8?Q?a?=\r\n\t =?iso-8859-1?Q?=FC?=', 'aü'],
    ['=?utf-8?Q?a?= b =?utf-8?Q?c?=', 'a b c'],
    ['=?utf-8?Q?a?==?utf-8?Q?b?=', 'ab'],
    ['a=?utf-8?Q?b?=c', 'abc'],
    // A character split between words, in each encoding.
    ['=?utf-8?Q?=C3?= =?UTF-8?Q?=BC?=', 'ü'],
    ['=?utf-8?B?ww==?= =?utf-8?B?vA==?=', 'ü'],
    ['=?utf-8?Q?=C3?= =?utf-8?B?vA==?=', 'ü'],
    ['=?gb2312?B?xOM=?= =?gb2312?B?usM=?=', '你好'],
    ['=?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=', '日本語'],
    ['=?iso-2022-jp?B?GyRCJUYlOSVIGyhC?=\r\n =?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=', 'テストテスト'],
    ['=?iso-2022-jp?B?GyRCJUYl?= =?iso-2022-jp?B?OSVIGyhC?=', 'テスト'],
    ['=?utf-8?Q?=C3=BC?= =?utf-8?Q?=FF?= =?utf-8?Q?=C3?= =?utf-8?Q?=BC?=', 'ü\ufffdü'],
    ['=?utf-8*en?Q?a?=', 'a'],
    ['=?utf-8*en?Q?=C3?= =?utf-8?Q?=BC?=', 'ü'],
    ['=?utf-8?Q?a=?=', 'a='],
    ['=?utf-8?Q?=4G=e9?= x', '=4G\ufffd x'],
    ['=?utf-8?X?a?=', '=?utf-8?X?a?='],
    ['=?utf-8?Q?a', '=?utf-8?Q?a'],
    ['=??Q?a?=', '=??Q?a?='],
    ['=?utf-8?Q??=x', 'x'],
    ['plain', 'plain'],
    ['', ''],
  ])('%j', (text, decoded) => {
    expect(decodeWords(text)).toBe(decoded);
  });

  it('give back what was written, wherever it is split', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('b', 'q'),
        (text, size, encoding) => {
          const bytes = Buffer.from(text);
          const words: string[] = [];
          for (let at = 0; at < bytes.length; at += size) {
            const piece = bytes.subarray(at, at + size);
            const content =
              encoding === 'b' ? piece.toString('base64') : piece.toString('hex').replace(/../g, '=$&');
            words.push(`=?utf-8?${encoding}?${content}?=`);
          }
          expect(decodeWords(words.join('\r\n '))).toBe(text);
        },
      ),
    );
  });

  it.each([
    ['words', '=?utf-8?B?w6Q=?=\r\n ', 'ä'],
    ['words of an unknown character set', '=?x-unknown?Q?a?= ', 'a'],
    ['beginnings', '=?utf-8?Q?', '=?utf-8?Q?'],
    ['marks', '=?', '=?'],
    ['spaces', `=?utf-8?Q?a?=${' '.repeat(5000)}`, 'a'],
  ])('as a subject of 600 kB of %s are read at once', async (_, piece, start) => {
    const count = Math.floor(600_000 / piece.length);
    const { subject, body } = await parseMessage(mail([`Subject: ${piece.repeat(count)}`, 'X: y']));
    expect(subject?.slice(0, start.length)).toBe(start);
    expect(body.truncated).toBe(false);
    expect(decodeWords(piece.repeat(count)).trimEnd()).toBe(start.repeat(count));
  });
});
