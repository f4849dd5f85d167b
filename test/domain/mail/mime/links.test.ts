import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLinks, parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { reduced } from '../../../support/long.ts';

/** What the header alone tells is what the whole message tells. */
describe('the ids in a header', () => {
  async function agree(text: string, encoding: BufferEncoding = 'latin1') {
    const raw = Buffer.from(text, encoding);
    const { rfc_id, in_reply_to, references } = await parseMessage(raw);
    const links = await parseLinks(raw);
    expect(links).toEqual({ rfc_id: links.rfc_id && rfc_id, in_reply_to, references });
    if (links.rfc_id === undefined) expect(rfc_id).toMatch(/@synthetic\.invalid$/);
    return links;
  }

  const id = 'Message-ID: <a@x>';
  it.each<[string, string, string | undefined]>([
    ['LF', `${id}\n\nMessage-ID: <body@x>\n`, 'a@x'],
    ['CRLF', `${id}\r\n\r\nMessage-ID: <body@x>\r\n`, 'a@x'],
    ['a line of CR alone at its end', `${id}\r\n\r\r\nMessage-ID: <body@x>\n`, 'a@x'],
    ['a blank that is not the end', `Subject: a\n \n${id}\n\ntext`, 'a@x'],
    ['no end', `Subject: a\n${id}`, 'a@x'],
    ['an envelope above', `\n>From a@x Mon Nov  2 10:00:00 2026\n${id}\n\ntext`, 'a@x'],
    ['a byte order mark', `\xef\xbb\xbf${id}\n\ntext`, 'a@x'],
    ['no id', 'Subject: a\n\nMessage-ID: <body@x>\n', undefined],
    [
      'an id in a part',
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nMessage-ID: <p@x>\n\nx\n--b--\n',
      undefined,
    ],
    [
      'lines over the limit',
      `X-Long: ${'x'.repeat(1_200_000)}\n${id}\nIn-Reply-To: <b@x>\n\ntext`,
      undefined,
    ],
    ['two ids', `${id}\nMessage-ID: <b@x>\nReferences: <c@x> <d@x>\n <a@x>\n\ntext`, 'a@x'],
  ])('with %s', async (_, text, expected) => {
    const links = await agree(text);
    if (expected) expect(links.rfc_id).toBe(expected);
  });

  it('agree for any text', async () => {
    const piece = fc.constantFrom(
      ...['\n', '\r\n', '\r', '\n\n', ' ', '\t', 'Message-ID', ': ', '<a@x>', '<b@x>', 'References: ', '--b'],
      ...['In-Reply-To: <c@x>', 'Content-Type: multipart/mixed; boundary=b', 'é', '=?utf-8?q?a?=', '\0'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        await agree(`Subject: a\n${pieces.join('')}`, 'utf8');
      }),
      { numRuns: reduced(2_000) },
    );
  });
});
