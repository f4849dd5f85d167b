import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesIn } from '#shared/domain/mail/mime/addresses.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { reduced } from '../../../support/long.ts';
import { mail } from './mails.ts';

/** As `Name <address>`, or the address alone. */
const read = (value: string) =>
  addressesIn(value).map(({ name, address }) => (name === '' ? address : `${name} <${address}>`));

describe('the mailboxes of an address field', () => {
  it.each<[string, string[]]>([
    ['ann@a.example', ['ann@a.example']],
    ['Ann Lee <ann@a.example>, bob@b.example', ['Ann Lee <ann@a.example>', 'bob@b.example']],
    ['"Lee, Ann" <ann@a.example>', ['Lee, Ann <ann@a.example>']],
    ['"Ann \\"A\\" Lee" <ann@a.example>', ['Ann "A" Lee <ann@a.example>']],
    ['Ann<ann@a.example>', ['Ann <ann@a.example>']],
    ['Ann Lee ann@a.example', ['Ann Lee <ann@a.example>']],
    ['Dr. ann@a.example', ['Dr. <ann@a.example>']],
    ['a@a.example; b@b.example;', ['a@a.example', 'b@b.example']],
    [',, a@a.example,,b@b.example,', ['a@a.example', 'b@b.example']],
    ['a@a.example\r\n ,\tb@b.example', ['a@a.example', 'b@b.example']],
    // Comments (3.2.2, and the examples of A.5).
    ['ann@a.example (Ann Lee)', ['Ann Lee <ann@a.example>']],
    ['ann(comment)@a.example', ['comment <ann@a.example>']],
    ['ann@(the company)a.example', ['the company <ann@a.example>']],
    ['(before) Ann <ann@a.example> (after)', ['Ann <ann@a.example>']],
    ['Ann <ann(her@account)@a.example(host)>', ['Ann <ann@a.example>']],
    ['Ann <ann(a (nested) one)@a.example>', ['Ann <ann@a.example>']],
    ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', ['Pete <pete@silly.test>']],
    ['<ann@a.example> (Ann \\(her\\) Lee)', ['Ann (her) Lee <ann@a.example>']],
    ['ann@a.example (bob@b.example)', ['bob@b.example <ann@a.example>']],
    [
      'ann@a.example (a, b <c@c.example>), bob@b.example',
      ['a, b <c@c.example> <ann@a.example>', 'bob@b.example'],
    ],
    ['(only a comment)', []],
    ['ann@a.example (open, bob@b.example', ['open <ann@a.example>', 'bob@b.example']],
    ['a ((b) <a@a.example>, c@c.example', ['a <a@a.example>', 'c@c.example']],
    // Routes (4.4).
    ['<@x.example:ann@a.example>', ['ann@a.example']],
    ['Ann <@x.example,@y.example:ann@a.example>, b@b.example', ['Ann <ann@a.example>', 'b@b.example']],
    ['Ann <@x.example, , @y.example : ann@a.example>', ['Ann <ann@a.example>']],
    // Groups (3.4).
    ['Team: ann@a.example, Bob <bob@b.example>;', ['ann@a.example', 'Bob <bob@b.example>']],
    ['Team:;', []],
    ['undisclosed-recipients:;', []],
    ['undisclosed recipients: ;, ann@a.example', ['ann@a.example']],
    ['Team:;, Other: ann@a.example;, bob@b.example', ['ann@a.example', 'bob@b.example']],
    ['"A: B": ann@a.example;', ['ann@a.example']],
    ['A Group(Some people)\r\n :Chris Jones <c@public.example>;', ['Chris Jones <c@public.example>']],
    ['Bob <bob@b.example>: ann@a.example', ['Bob <bob@b.example>', 'ann@a.example']],
    ['Outer: Inner: ann@a.example;;', ['ann@a.example']],
    ['Team: ann@a.example', ['ann@a.example']],
    // White space about dots and at signs (4.4).
    ['ann . lee @ a . example', ['ann.lee@a.example']],
    ['Ann <ann @ a . example>', ['Ann <ann@a.example>']],
    ['ann@a.example bob', ['bob <ann@a.example>']],
    // Quoted local parts and literals (3.4.1).
    ['"ann lee"@a.example', ['"ann lee"@a.example']],
    ['"ann.lee"@a.example', ['ann.lee@a.example']],
    ['<"ann@home"@a.example>', ['"ann@home"@a.example']],
    ['<"a\\"b"@a.example>', ['"a\\"b"@a.example']],
    ['<"a>b"@a.example>, c@c.example', ['"a>b"@a.example', 'c@c.example']],
    ['"ann@a.example"', []],
    ['"ann@a.example" <bob@b.example>', ['ann@a.example <bob@b.example>']],
    ['"bob@evil.example" ann@a.example', ['bob@evil.example <ann@a.example>']],
    ['ann@[IPv6:2001:db8::1], b@b.example', ['ann@[IPv6:2001:db8::1]', 'b@b.example']],
    // Mistakes of programs and people.
    ['Ann <ann@a.example, Bob <bob@b.example>', ['Ann <ann@a.example>', 'Bob <bob@b.example>']],
    ['Ann <ann@a.example; Bob <bob@b.example>', ['Ann <ann@a.example>', 'Bob <bob@b.example>']],
    ['ann@a.example bob@b.example', ['ann@a.example', 'bob@b.example']],
    ['Ann < Lee <ann@a.example>', ['Ann <ann@a.example>']],
    ['Ann <not here> <ann@a.example>', ['Ann <ann@a.example>']],
    ['<ann@a.example> Ann', ['Ann <ann@a.example>']],
    ['"Ann <ann@a.example>', ['Ann <ann@a.example>']],
    ["'ann@a.example'", ['ann@a.example']],
    ['<mailto:ann@a.example>', ['ann@a.example']],
    ['mailto:ann@a.example', ['ann@a.example']],
    ['<>', []],
    ['<', []],
    ['nobody', []],
    ['', []],
    // Encoded words are names; only the whole of a mailbox may hold its address.
    ['=?utf-8?Q?Ann_L=C3=A9e?= <ann@a.example>', ['Ann Lée <ann@a.example>']],
    ['=?utf-8?Q?a=2Cb?= <ann@a.example>', ['a,b <ann@a.example>']],
    ['"=?utf-8?Q?=C3=A9?=" <ann@a.example>', ['é <ann@a.example>']],
    ['=?utf-8?Q?bob=40b.example?= <ann@a.example>', ['bob@b.example <ann@a.example>']],
    ['=?utf-8?Q?ann=40a.example?=', []],
    ['=?utf-8?Q?L=C3=A9e_=3Cann=40a.example=3E?=', ['Lée <ann@a.example>']],
  ])('%j', (value, mailboxes) => {
    expect(read(value)).toEqual(mailboxes);
  });

  it('are read back from any quoting, with any comments', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab "\\,;:<>@()é.'), maxLength: 8 });
    const comment = fc.constantFrom('', ' (c)', '(a, b@c.example (d))', '(\\))');
    const mailbox = fc.record({
      name,
      local: fc.stringMatching(/^[a-z]{1,6}(?:\.[a-z]{1,4})?$/),
      comment,
      route: fc.constantFrom('', '@r.example:', '@r.example,@s.example:'),
      group: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(mailbox, { maxLength: 6 }), (all) => {
        const written = all.map(({ name, local, comment, route, group }) => {
          const quoted = `"${name.replace(/["\\]/g, '\\$&')}"`;
          const one = `${quoted}${comment} <${route}${local}${comment}@x.example>${comment}`;
          return group ? `Team${comment}: ${one}, ;` : one;
        });
        expect(addressesIn(written.join(', '))).toEqual(
          all.map(({ name, local, comment }) => ({
            name: name || (comment && expect.any(String)),
            address: `${local}@x.example`,
          })),
        );
      }),
    );
  });

  it('are read from any text', () => {
    const piece = fc.constantFrom(
      '"',
      '(',
      ')',
      '<',
      '>',
      '\\',
      ',',
      ';',
      ':',
      '@',
      'a@b.c',
      '[',
      ']',
      '=?',
      ' ',
      '.',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const { address } of addressesIn(pieces.join(''))) expect(address).not.toMatch(/^\s*$/);
      }),
      { numRuns: reduced(2000) },
    );
  });

  it.each([
    '(',
    '((a)',
    '"\\',
    '<"',
    '<(',
    '<@a',
    '[',
    ',',
    ' @',
    ' .a',
    '"a" ',
    '=?x?q?a?= ',
    'a:',
    ')',
    '<',
  ])('of 300 kB of %j are read at once', (piece) => {
    const value = piece.repeat(300_000 / piece.length);
    expect(read(`${value}`).length).toBeLessThanOrEqual(1);
  });
});

describe('the recipients of a message', () => {
  const list = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `Ann ${from + i} <a${from + i}@x.example>`).join(',\r\n ');
  const parse = (...fields: string[]) => parseMessage(mail(fields));

  it('are kept up to 10,000, and the others are counted', async () => {
    const whole = await parse(
      `To: ${list(0, 6000)}`,
      `Cc: ${list(6000, 9999)}`,
      `Bcc: ${list(9999, 10_000)}`,
    );
    expect([whole.to.length, whole.cc.length, whole.bcc.length]).toEqual([6000, 3999, 1]);
    expect(whole.to.at(-1)).toEqual({ email_address: 'a5999@x.example', name: 'Ann 5999' });
    expect(whole.recipients_omitted).toBe(0);
    const more = await parse(`To: ${list(0, 6000)}`, `Cc: ${list(0, 4001)}`, `Bcc: ${list(0, 3)}`);
    expect([more.to.length, more.cc.length, more.bcc.length]).toEqual([6000, 4000, 0]);
    expect(more.recipients_omitted).toBe(4);
  });

  it('of several fields of a name count once', async () => {
    const { to, recipients_omitted } = await parse(
      `To: ${list(0, 3)}`,
      `To: ${list(1, 4)}`,
      'To: A1@X.example',
    );
    expect(to.map(({ email_address }) => email_address)).toEqual([0, 1, 2, 3].map((i) => `a${i}@x.example`));
    expect(recipients_omitted).toBe(0);
  });

  it.each([
    ['folded', ',\r\n '],
    ['in one line', ', '],
    ['without spaces', ','],
  ])('are whole addresses where a field is too long, %s', async (_, separator) => {
    const address = (i: number) => `${'a'.repeat(200)}${String(i).padStart(6, '0')}@x.example`;
    const { to, recipients_omitted, body } = await parse(
      `To: ${Array.from({ length: 6000 }, (_, i) => address(i)).join(separator)}`,
    );
    expect(to.length).toBeGreaterThan(4000);
    expect(to.map(({ email_address }) => email_address)).toEqual(to.map((_, i) => address(i)));
    expect(recipients_omitted).toBe(0);
    expect(body.truncated).toBe(true);
  });

  it('are no text that only looks like an address', async () => {
    const long = `${'a'.repeat(320)}@x.example`;
    const { to } = await parse(
      `To: ${long}, @x.example, a@, a@b@c.example, <a b:@c.example;>, a[@x, ""@x.example, a\\b@x, ok@x.example`,
    );
    expect(to.map(({ email_address }) => email_address)).toEqual(['ok@x.example']);
  });
});
