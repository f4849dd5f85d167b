import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unflow } from '#shared/domain/mail/mime/flowed.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { mail } from './mails.ts';

describe('text with format=flowed', () => {
  it.each<[string, string, string, boolean?]>([
    ['joins lines that end in a space', 'a \nb \nc\nd', 'a b c\nd'],
    ['keeps lines that end otherwise', 'a\n\nb', 'a\n\nb'],
    ['deletes the space with DelSp=yes', 'ab \ncd  \nef', 'abcd ef', true],
    ['joins lines quoted equally deep', '> a \n> b\n>> c \n>> d', '> a b\n>> c d'],
    ['never joins an answer to the quote above it', '> Shall we? \nYes.', '> Shall we?\nYes.'],
    ['never joins a quote to the text above it', 'You asked: \n> Shall we?', 'You asked: \n> Shall we?'],
    ['never joins quotes of different depth', '>> a \n> b \n>> c', '>> a\n> b\n>> c'],
    ['removes stuffing before it joins', ' From here \n to there', 'From here to there'],
    ['removes stuffing below marks', '>  a \n> b', '>  a b'],
    ['reads marks without stuffing', '>a \n>b', '> a b'],
    ['keeps an empty quoted line', '> a\n>\n> b', '> a\n>\n> b'],
    ['does not flow a signature separator', 'Ann \n-- \nAnn Lee', 'Ann \n-- \nAnn Lee'],
    ['does not flow a quoted signature separator', '> x\n> -- \n> Ann', '> x\n> --\n> Ann'],
    ['does not flow a stuffed signature separator', ' -- \nAnn', '-- \nAnn'],
    ['keeps the signature separator with DelSp=yes', 'a\n-- \nAnn', 'a\n-- \nAnn', true],
    ['takes a spaced mark for a mark', '> > a \n> > b\n> c', '> > a\n> > b\n> c'],
    ['reads CRLF, CR and LF', 'a \r\nb \rc \nd', 'a b c d'],
    ['ends in a flowed line', 'a \n', 'a '],
    ['of nothing is nothing', '', ''],
  ])('%s', (_, sent, text, deleteSpace = false) => {
    expect(unflow(sent, deleteSpace)).toBe(text);
  });

  /** Generates the text as a sending program does (RFC 3676, 4.2). */
  function flow(paragraph: string, depth: number, width: number): string {
    const marks = '>'.repeat(depth);
    const lines = paragraph.match(new RegExp(`.{1,${width}} |.+$|^$`, 'gs')) ?? [''];
    return lines
      .map((line) => (depth > 0 || /^(?:[> ]|From )/.test(line) ? `${marks} ${line}` : line))
      .join('\n');
  }

  it('is read as it was written, at every depth and width', () => {
    const word = fc.stringMatching(/^[a-z>.-]{1,8}$/);
    const paragraph = fc.record({
      text: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
      depth: fc.nat(3),
    });
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 30 }),
        (all, width) => {
          // Inside a paragraph a line may not begin with a mark: no program tells it from a spaced one.
          // And the separator line of the signature never flows.
          fc.pre(all.every(({ text }) => !/(?:^| )(?:>|--(?: |$))/.test(text)));
          const sent = all.map(({ text, depth }) => flow(text, depth, width)).join('\r\n');
          const written = all.map(({ text, depth }) => (depth > 0 ? `${'>'.repeat(depth)} ${text}` : text));
          expect(unflow(sent, false)).toBe(written.join('\n'));
        },
      ),
    );
  });
});

describe('a message with format=flowed', () => {
  const read = async (parameters: string, body: string) =>
    (await parseMessage(mail([`Content-Type: text/plain; ${parameters}`], body))).body;

  it('has the answer between quotes as new text', async () => {
    const body =
      'Hello Ann,\r\n\r\n> Shall we meet \r\n> at noon? \r\nYes, at the \r\nharbour.\r\n\r\n>> Old \r\n> Older\r\n';
    const { new_plain_text } = await read('charset=utf-8; format=flowed', body);
    expect(new_plain_text).toContain('\n> Shall we meet at noon?\nYes, at the harbour.\n\n>> Old\n> Older');
  });

  it('has its quote found below an attribution', async () => {
    const body =
      'Yes.\r\n\r\nOn Tue, 17 Nov 2009 at 21:28, Ann Lee \r\n<ann@a.example> wrote:\r\n> Old \r\n> text\r\n';
    expect(await read('format="flowed"', body)).toMatchObject({
      new_plain_text: 'Yes.\n\n',
      quoted_plain_text: 'On Tue, 17 Nov 2009 at 21:28, Ann Lee <ann@a.example> wrote:\n> Old text',
    });
  });

  it('is Japanese without spaces with DelSp=yes', async () => {
    const { new_plain_text } = await read('charset=utf-8; Format=Flowed; DelSp=Yes', '日本 \r\n語');
    expect(new_plain_text).toBe('日本語');
  });

  it('of another format keeps its lines', async () => {
    expect((await read('format=fixed', 'a \r\nb')).new_plain_text).toBe('a \nb');
    expect((await read('charset=utf-8', ' a \r\nb')).new_plain_text).toBe(' a \nb');
    const html = mail(['Content-Type: text/html; format=flowed'], '<pre>a \r\n&gt; b</pre>');
    expect((await parseMessage(html)).body.sanitized_html).toBe('<pre>a \n&gt; b</pre>');
  });
});
