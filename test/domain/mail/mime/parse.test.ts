import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MailError, parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { mail, multipart, multipartMail } from './mails.ts';

const parse = (raw: Buffer | string) => parseMessage(Buffer.from(raw));
const reasonOf = (raw: Buffer | string) =>
  parse(raw).then(
    () => null,
    (error) => (error instanceof MailError ? error.reason : error),
  );

describe('an ordinary message', () => {
  it('has every field', async () => {
    const { header, body } = multipart('alternative', [
      { headers: ['Content-Type: text/plain; charset=utf-8'], content: 'Hello Bob\r\n' },
      { headers: ['Content-Type: text/html; charset=utf-8'], content: '<p>Hello <b>Bob</b></p>' },
    ]);
    const raw = mail(
      [
        'Message-ID: <m3@a.example>',
        'In-Reply-To: <m2@b.example>',
        'References: <m1@a.example>\r\n <m2@b.example>',
        'Date: Tue, 17 Nov 2009 21:28:37 +0600',
        'From: "Ann Lee" <Ann@A.example>',
        'To: Bob <bob@b.example>, eve@e.example',
        'Cc: Team: carl@c.example, "Di, D" <di@d.example>;',
        'Bcc: zed@z.example',
        'Subject: Re: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
        header,
      ],
      body,
    );
    expect(await parse(raw)).toEqual({
      rfc_id: 'm3@a.example',
      in_reply_to: ['m2@b.example'],
      references: ['m1@a.example', 'm2@b.example'],
      subject: 'Re: Grüße',
      sent_at: '2009-11-17T15:28:37.000Z',
      received_at: null,
      from: { email_address: 'ann@a.example', name: 'Ann Lee' },
      to: [
        { email_address: 'bob@b.example', name: 'Bob' },
        { email_address: 'eve@e.example', name: null },
      ],
      cc: [
        { email_address: 'carl@c.example', name: null },
        { email_address: 'di@d.example', name: 'Di, D' },
      ],
      bcc: [{ email_address: 'zed@z.example', name: null }],
      reply_to: [],
      recipients_omitted: 0,
      automatic: false,
      delivered: false,
      list_addresses: [],
      category: null,
      read: false,
      starred: false,
      snippet: 'Hello Bob',
      attachments: [],
      attachments_omitted: 0,
      body: {
        source_format: 'html',
        sanitized_html: '<p>Hello <b>Bob</b></p>',
        new_plain_text: 'Hello Bob',
        new_html: '<p>Hello <b>Bob</b></p>',
        quoted_plain_text: null,
        quoted_html: null,
        has_quote_header: false,
        truncated: false,
      },
    });
  });
});

describe('missing and broken header fields', () => {
  it('leave the rest readable', async () => {
    const parsed = await parse('X: 1\n\nhi');
    expect(parsed).toMatchObject({
      subject: null,
      sent_at: null,
      from: null,
      to: [],
      cc: [],
      bcc: [],
      references: [],
    });
    expect(parsed.body).toMatchObject({
      source_format: 'plain',
      new_plain_text: 'hi',
      new_html: null,
      sanitized_html: null,
    });
  });

  it('derives a stable id from the content without a Message-ID', async () => {
    const { rfc_id } = await parse('Subject: a\n\nhi');
    expect(rfc_id).toMatch(/^[0-9a-f]{64}@synthetic\.invalid$/);
    for (const same of [
      'Subject: a\r\n\r\nhi\r\n',
      'Status: RO\nSubject:  a\n\nhi',
      'Received: x\nSubject: a\n\nhi',
    ])
      expect((await parse(same)).rfc_id).toBe(rfc_id);
    for (const empty of ['', ' ', '<>', '< >'])
      expect((await parse(`Message-ID: ${empty}\nSubject: a\n\nhi`)).rfc_id).toBe(rfc_id);
    for (const other of ['Subject: b\n\nhi', 'Subject: a\n\nho', 'Subject: a\nFrom: a@b\n\nhi'])
      expect((await parse(other)).rfc_id).not.toBe(rfc_id);
  });

  it.each([
    ['<a@b>', 'a@b'],
    ['a@b', 'a@b'],
    ['<a b@c\t>', 'ab@c'],
    ['junk <a@b> (comment)', 'a@b'],
  ])('Message-ID %j is %j', async (value, id) => {
    expect((await parse(`Message-ID: ${value}\n\n`)).rfc_id).toBe(id);
  });

  it('an id too long for a database key becomes a digest, the same in every field', async () => {
    const long = `${'a'.repeat(600)}@b`;
    const [first, second] = [
      await parse(`Message-ID: <${long}>\n\n`),
      await parse(`References: <${long}>\n\n`),
    ];
    expect(first.rfc_id).toMatch(/^[0-9a-f]{64}@long-id\.invalid$/);
    expect(second.references).toEqual([first.rfc_id]);
    const longest = `${'a'.repeat(510)}@b`;
    expect((await parse(`Message-ID: <${longest}>\n\n`)).rfc_id).toBe(longest);
  });

  it('references keep their order, without repeats and the own id', async () => {
    const parsed = await parse(
      'Message-ID: <m>\nReferences: <a@x> <b@x> <a@x> <m> <c@x>\nIn-Reply-To: <m> <c@x>\n\n',
    );
    expect(parsed.references).toEqual(['a@x', 'b@x', 'c@x']);
    expect(parsed.in_reply_to).toEqual(['c@x']);
  });

  it('keeps the first and the last 79 of more than 80 references', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `${index}@x`);
    const parsed = await parse(`References: ${ids.map((id) => `<${id}>`).join('\n ')}\n\n`);
    expect(parsed.references).toEqual(['0@x', ...ids.slice(21)]);
  });

  longIt.each([
    ['From: ann@a.example', { email_address: 'ann@a.example', name: null }],
    ['From: =?utf-8?B?QW5uIEzDqWU=?= <ANN@a.example>', { email_address: 'ann@a.example', name: 'Ann Lée' }],
    ['From: "ann@a.example" <ann@a.example>', { email_address: 'ann@a.example', name: null }],
    ['From: Ann\n\tLee <ann@a.example>', { email_address: 'ann@a.example', name: 'Ann Lee' }],
    ['From: undisclosed', null],
    ['From: <>', null],
    ['From:', null],
    ['From: <ann@a.example> (Ann Lee)', { email_address: 'ann@a.example', name: 'Ann Lee' }],
    [`From: ${'a'.repeat(310)}@a.example`, { email_address: `${'a'.repeat(310)}@a.example`, name: null }],
    [`From: ${'a'.repeat(311)}@a.example`, null],
  ])('%j', async (line, from) => {
    expect((await parse(`${line}\n\n`)).from).toEqual(from);
  });

  it('counts each recipient once, and groups without members as nobody', async () => {
    const parsed = await parse('To: a@x.example, A@X.example, undisclosed-recipients:;\nTo: b@x.example\n\n');
    expect(parsed.to.map((address) => address.email_address)).toEqual(['a@x.example', 'b@x.example']);
  });
});

describe('automatic mail', () => {
  it.each([
    ['List-Id: <notes.l.example>', true],
    ['List-Unsubscribe: <https://l.example/u>', true],
    ['Precedence: bulk', true],
    ['Precedence: first-class', false],
    ['Auto-Submitted: auto-replied', true],
    ['Auto-Submitted: no', false],
    ['Auto-Submitted: no (a person)', false],
    ['Auto-Submitted: notified', true],
    ['From: no-reply@a.example', true],
    ['From: NoReply+1@a.example', true],
    ['From: do_not_reply@a.example', true],
    ['From: MAILER-DAEMON@a.example', true],
    ['From: notifications@a.example', true],
    ['From: norah@a.example', false],
    ['From: alertson@a.example', false],
  ])('%s: %s', async (line, automatic) => {
    expect((await parse(`${line}\n\n`)).automatic).toBe(automatic);
  });
});

describe('text', () => {
  it.each([
    ['iso-2022-jp', Buffer.from('1b2442467c4b5c386c1b2842', 'hex'), '日本語'],
    ['windows-1251', Buffer.from('cff0e8e2e5f2', 'hex'), 'Привет'],
    ['gb18030', Buffer.from('c4e3bac3', 'hex'), '你好'],
    ['koi8-r', Buffer.from('f0d2c9d7c5d4', 'hex'), 'Привет'],
    ['ISO-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['utf-8', Buffer.from('Grüße'), 'Grüße'],
    ['"utf-8"', Buffer.from('Grüße'), 'Grüße'],
    ['big5', Buffer.from('a741a66e', 'hex'), '你好'],
    ['euc-kr', Buffer.from('bec8b3e7', 'hex'), '안녕'],
    ['x-unknown', Buffer.from('abc'), 'abc'],
    ['utf-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['', Buffer.from('abc'), 'abc'],
  ])('in %s', async (charset, bytes, text) => {
    const plain = mail([`Content-Type: text/plain; charset=${charset}`], bytes);
    expect((await parse(plain)).body.new_plain_text).toBe(text);
    const html = mail(
      [`Content-Type: text/html; charset=${charset}`, 'Content-Transfer-Encoding: base64'],
      bytes.toString('base64'),
    );
    expect((await parse(html)).body.sanitized_html).toBe(text);
  });

  it('has no NUL and no lone surrogates', async () => {
    const raw = mail(
      ['Subject: a\0b =?utf-16be?B?2AA=?= c', 'Content-Type: text/html'],
      'x\0<p title="&#xD800;">&#55296;y</p>',
    );
    const text = JSON.stringify(await parse(raw));
    expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
    expect(text).toContain('x<p');
  });

  it('of a message with HTML only comes from the HTML', async () => {
    const { body } = await parse(
      mail(['Content-Type: text/html'], '<p>Hello</p><script>x</script><p>Bob</p>'),
    );
    expect(body).toMatchObject({
      source_format: 'html',
      new_plain_text: 'Hello\n\nBob',
      has_quote_header: false,
    });
  });

  it('is the plain part where it agrees with the HTML about the quote, else the HTML', async () => {
    const quote = 'On Tue, 17 Nov 2009 at 21:28, Ann Lee <ann@a.example> wrote:';
    const html = `<div>New</div><div class="gmail_quote"><div class="gmail_attr">${quote.replace(/[<>]/g, ' ')}</div><blockquote>Old</blockquote></div>`;
    const build = (plain: string) =>
      multipartMail('alternative', [
        { headers: ['Content-Type: text/plain'], content: plain },
        { headers: ['Content-Type: text/html'], content: html },
      ]);
    const agreeing = await parse(build(`New (plain)\r\n\r\n${quote}\r\n> Old`));
    expect(agreeing.body).toMatchObject({
      new_plain_text: 'New (plain)\n\n',
      quoted_plain_text: `${quote}\n> Old`,
    });
    const other = await parse(build('New (plain), nothing else'));
    expect(other.body).toMatchObject({ new_plain_text: 'New\n', has_quote_header: true });
    expect(other.body.quoted_plain_text).toMatch(/Old$/);
    expect(other.body.quoted_html).toContain('<blockquote>Old</blockquote>');
    expect(other.snippet).toBe('New');
  });

  longIt('over 1 MB is cut at a character, and the message says so', async () => {
    const limit = 1024 * 1024;
    const whole = await parse(mail(['Content-Type: text/plain; charset=utf-8'], 'é'.repeat(limit / 2)));
    expect(whole.body.truncated).toBe(false);
    expect(whole.body.new_plain_text).toHaveLength(limit / 2);
    const cut = await parse(mail(['Content-Type: text/plain; charset=utf-8'], `a${'é'.repeat(limit / 2)}`));
    expect(cut.body.truncated).toBe(true);
    expect(cut.body.new_plain_text).toBe(`a${'é'.repeat(limit / 2 - 1)}`);
    const blank = await parse(mail(['Content-Type: text/plain'], `${'a'.repeat(limit - 2)}  \tb`));
    expect(blank.body.new_plain_text).toHaveLength(limit - 2);
    const html = await parse(
      mail(['Content-Type: text/html'], `<p>start</p>${'<b>x</b>'.repeat(200_000)}end`),
    );
    expect(html.body).toMatchObject({ truncated: true, source_format: 'html' });
    expect(html.body.new_html).toMatch(/^<p>start<\/p>/);
    expect(html.body.sanitized_html!.length).toBeLessThanOrEqual(limit + 100);
    expect(html.body.new_plain_text).not.toContain('end');
  });

  longIt('with more markup than is read is marked as truncated as well', async () => {
    const { body } = await parse(mail(['Content-Type: text/html'], '<p>'.repeat(200_000)));
    expect(body.truncated).toBe(true);
  });

  it('an Outlook forward is new, a reply with the same block is split', async () => {
    const text = 'See below.\n\nFrom: Ann\nSent: Tuesday\nTo: Bob\nSubject: Plan\n\nHello';
    const forward = await parse(`Subject: FW: Plan\n\n${text}`);
    expect(forward.body).toMatchObject({ has_quote_header: false, new_plain_text: text });
    const reply = await parse(`Subject: RE: FW: Plan\n\n${text}`);
    expect(reply.body).toMatchObject({ has_quote_header: true, new_plain_text: 'See below.\n\n' });
  });

  it('the snippet is the new text, folded, of at most 200 code points, without quoted lines', async () => {
    expect((await parse(`A: b\n\n  Hi\n\n${'😀'.repeat(300)}`)).snippet).toBe(`Hi ${'😀'.repeat(197)}`);
    expect((await parse('A: b\n\nAnn wrote:\n> a\n\nYes.\n\n> b\n\nNo.')).snippet).toBe('Yes. No.');
    expect((await parse(`A: b\n\n${'a'.repeat(199)} b`)).snippet).toBe('a'.repeat(199));
    expect((await parse('A: b\n\n> a\n> b')).snippet).toBe('> a > b');
    expect((await parse('A: b\n\n \n')).snippet).toBeNull();
  });

  it('a message without text has no format', async () => {
    expect((await parse('Subject: a\n\n')).body.source_format).toBeNull();
    const { body } = await parse(mail(['Content-Type: application/pdf; name=a.pdf'], 'x'));
    expect(body).toMatchObject({ source_format: null, new_plain_text: null, sanitized_html: null });
    const empty = await parse(mail(['Content-Type: text/html'], '<script>x</script>'));
    expect(empty.body).toMatchObject({ source_format: 'html', new_plain_text: null, sanitized_html: null });
  });
});

const partsWith = (part: string, count: number) =>
  `Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nfirst\n${`--b\n${part}\n`.repeat(count)}`;

describe('limits', () => {
  it('25 MB are read, one byte more is too large', async () => {
    const head = 'Subject: a\n\n';
    const raw = Buffer.alloc(25 * 1024 * 1024, 'x');
    raw.write(head);
    expect(await reasonOf(raw)).toBeNull();
    expect(await reasonOf(Buffer.concat([raw, Buffer.from('x')]))).toBe('too_large');
  });

  it('1,000 parts are read, and of more the first', async () => {
    const parts = (count: number) =>
      multipartMail(
        'mixed',
        Array.from({ length: count }, (_, i) => ({ content: `part ${i + 1}.` })),
      );
    const whole = (await parse(parts(1000))).body;
    expect(whole).toMatchObject({ truncated: false, new_plain_text: expect.stringMatching(/part 1000\.$/) });
    const cut = (await parse(parts(1001))).body;
    expect(cut).toMatchObject({ truncated: true, new_plain_text: whole.new_plain_text });
  });

  const levels = (count: number) =>
    Array.from({ length: count }, (_, i) => `--b${i}\nContent-Type: multipart/mixed; boundary=b${i + 1}\n\n`);
  const deep = (count: number) =>
    `Subject: a\nContent-Type: multipart/mixed; boundary=b0\n\n--b0\n\nfirst\n${levels(count - 1).join('')}--b${count - 1}\n\nlast`;

  it('100 levels are read, and of more the outer ones', async () => {
    const whole = (await parse(deep(100))).body;
    expect(whole).toMatchObject({
      truncated: false,
      new_plain_text: expect.stringMatching(/^first\s+last$/),
    });
    expect((await parse(deep(101))).body).toMatchObject({ truncated: true, new_plain_text: 'first' });
  });

  const many = (count: number, text: string) => Array.from({ length: count }, () => text).join('');
  const base64 = 'Content-Type: application/x\nContent-Transfer-Encoding: base64\n\n';

  longIt.each<[string, string, boolean]>([
    ['levels', deep(10_000), true],
    ['one header line', `X: ${'a'.repeat(3_000_000)}\nSubject: a\n\nfirst`, true],
    ['one folded header field', `X: ${many(50_000, `${'a'.repeat(50)}\n `)}\nSubject: a\n\nfirst`, true],
    ['header fields', `Subject: a\n${many(1000, `X: ${'a'.repeat(3000)}\n`)}\nfirst`, true],
    ['short header fields', `Subject: a\n${many(200_000, 'X:\n')}\nfirst`, true],
    ['lines', `Subject: a\n\nfirst${'\n'.repeat(5_000_000)}`, true],
    ['header in parts', partsWith(`X: ${'a'.repeat(900_000)}\n`, 3), true],
    ['encoded lines', partsWith(`${base64}${'A\n'.repeat(1_000_001)}`, 1), false],
    ['base64 units', partsWith(`${base64}${'A='.repeat(1_000_001)}`, 1), false],
    ['delimiters', partsWith('\n', 100_000), true],
    ['text', `Subject: a\n\nfirst${' a'.repeat(5_000_000)}`, true],
    ['text in parts', partsWith(`\n${'a'.repeat(700_000)}\n`, 10), true],
    ['mail after its end', `${partsWith('', 1)}--b--\n${'--b\n'.repeat(100_000)}`, false],
  ])('of too much %s the beginning is read', async (_, raw, truncated) => {
    const { subject, body } = await parse(raw);
    expect(subject).toBe('a');
    expect(body.new_plain_text).toMatch(/^first/);
    expect(body.truncated).toBe(truncated);
  });

  it('a field of too many recipients has the first ones, each whole', async () => {
    const all = Array.from({ length: 6000 }, (_, i) => `${String(i).padStart(200, 'r')}@x.example`);
    const { to, body } = await parse(`To: ${all.join(',')}\n\nfirst`);
    expect(to.length).toBeGreaterThan(4900);
    expect(to.map(({ email_address }) => email_address)).toEqual(all.slice(0, to.length));
    expect(body.truncated).toBe(true);
  });

  longIt('a million short lines of text are read as one piece', async () => {
    const { body } = await parse(`A: b\n\n${'x\n'.repeat(500_000)}end`);
    expect(body.new_plain_text).toHaveLength(1_000_003);
  });

  it.each([
    ['nothing', ''],
    ['no header', 'just text\nmore: text'],
    ['a blank line first and no header after it', '\n\nhello world\n'],
    ['binary data', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0])],
    ['a colon only', ': x\n\n'],
    ['a name of over 200 characters', `${'a'.repeat(201)}: x\n\n`],
    ['a colon far behind a name', `a${' '.repeat(9)}: x\n\n`],
  ])('%s is not a message', async (_, raw) => {
    expect(await reasonOf(raw)).toBe('not_a_message');
  });

  it.each([
    ['a byte order mark', '\ufeffSubject: a\n\nhi'],
    ['blank lines', '\r\n\nSubject: a\n\nhi'],
    ['an mbox envelope', 'From ann@a.example Tue Nov 17 21:28:37 2009\nSubject: a\n\nhi'],
    ['a quoted envelope', '>From ann@a.example Tue Nov 17 21:28:37 2009\nSubject: a\n\nhi'],
    ['two CRs at the end of each line', 'Subject: a\r\r\n\r\r\nhi'],
    ['a blank before the colon', 'Subject : a\n\nhi'],
    ['eight blanks before a colon', `X${' '.repeat(8)}: x\nSubject: a\n\nhi`],
    ['a field with a long name', `${'X'.repeat(200)}: x\nSubject: a\n\nhi`],
  ])('%s before the header does no harm', async (_, raw) => {
    expect(await parse(raw)).toMatchObject({ subject: 'a', body: { new_plain_text: 'hi' } });
  });
});

describe('mutated messages', () => {
  const seeds = [
    multipartMail(
      'mixed',
      [
        { headers: ['Content-Type: text/html; charset=utf-8'], content: '<p>Hi <img src="cid:a"></p>' },
        {
          headers: ['Content-Type: image/png; name="a.png"', 'Content-ID: <a>'],
          content: Buffer.from('png'),
        },
      ],
      [
        'To: b@b.example',
        'Subject: =?utf-8?B?w6Q=?=',
        'Date: Tue, 17 Nov 2009 21:28:37 +0600',
        'References: <a@b>',
      ],
    ),
    multipartMail('alternative', [
      {
        headers: [
          'Content-Type: text/plain; format=flowed; charset=koi8-r',
          'Content-Transfer-Encoding: quoted-printable',
        ],
        content: 'a=20=\r\nb',
      },
      { headers: ['Content-Type: message/rfc822'], content: 'Subject: x\r\n\r\ny' },
    ]),
  ];
  const change = fc.oneof(
    fc.tuple(fc.nat(), fc.constant(1), fc.uint8Array({ maxLength: 3 })),
    fc.tuple(
      fc.nat(),
      fc.nat(40),
      fc
        .constantFrom('', '\r\n', '--b1', '--b1--', '"', ';', '<', '=?', '\0', ':', '(')
        .map((text) => Buffer.from(text)),
    ),
  );

  it('are read or refused, and never throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        async (seed, changes) => {
          let raw = seed;
          for (const [place, removed, added] of changes) {
            const at = place % (raw.length + 1);
            raw = Buffer.concat([raw.subarray(0, at), added, raw.subarray(at + removed)]);
          }
          try {
            const parsed = await parse(raw);
            expect(JSON.stringify({ ...parsed, attachments: [] })).not.toMatch(/\\u0000|\\ud[89a-f]/i);
            expect(parsed.rfc_id).not.toBe('');
          } catch (error) {
            expect(error).toBeInstanceOf(MailError);
          }
        },
      ),
      { numRuns: reduced(1000) },
    );
  });

  it('random bytes too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const reason = await reasonOf(Buffer.from(bytes));
        expect([null, 'not_a_message']).toContain(reason);
      }),
    );
  });
});
