import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { cases, longIt, reduced } from '../../../support/long.ts';
import { publishedVectors, xssVectors } from '../../../support/xss-vectors.ts';
import { depthOf, violations } from './grammar.ts';

const POLICIES = ['comment', 'mail'] as const;

function expectSafe(html: string, policy: 'comment' | 'mail') {
  const clean = sanitizeHtml(html, policy);
  expect(violations(clean, policy)).toEqual([]);
  expect(sanitizeHtml(clean, policy)).toBe(clean);
  return clean;
}

it('is tried with more than 300 published vectors', () => {
  expect(publishedVectors.length).toBeGreaterThan(300);
});

describe('the grammar check itself', () => {
  it.each([
    '<script>alert(1)</script>',
    '<p onclick="x">a</p>',
    '<a href="javascript:alert(1)" rel="noopener noreferrer nofollow">a</a>',
    '<a href="java\tscript:alert(1)" rel="noopener noreferrer nofollow">a</a>',
    '<a href="https://a.example">a</a>',
    '<img src="data:image/png;base64,AA" />',
    '<p style="background:url(x)">a</p>',
    '<p>a',
    'a < b',
    '<!-- x -->',
  ])('finds %s', (html) => {
    expect(violations(html, 'mail')).not.toEqual([]);
  });
});

describe.each(POLICIES)('%s policy', (policy) => {
  it.each(xssVectors)('leaves nothing that runs, and sanitizing again changes nothing: %j', (vector) => {
    for (const html of [vector, `<p>${vector}</p>`, `<table><tr><td>${vector}`, `<a title="${vector}">x</a>`])
      expectSafe(html, policy);
  });

  it('is safe and idempotent on any mix of markup', () => {
    const names =
      'div p b a table tr td li ul svg math style script textarea xmp title option select form button template noscript iframe pre br img h1 x'.split(
        ' ',
      );
    const piece = fc.oneof(
      fc.constantFrom(...names).map((name) => `<${name}>`),
      fc.constantFrom(...names).map((name) => `</${name}>`),
      fc.constantFrom(
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<',
        '>',
        '"',
        "'",
        '&',
        '&lt;',
        '&amp;lt;',
        '\0',
        '\r\n',
        '\ud800',
        '/',
        '=',
      ),
      fc.constantFrom(
        '<a href="',
        '<img src=cid:a alt="',
        '<p style="color:red;',
        '<p class="gmail_quote ',
        '<p id=divRplyFwdMsg ',
        ' onerror=alert(1) ',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        expectSafe(pieces.join(''), policy);
      }),
      { numRuns: reduced(2000) },
    );
  });

  it('keeps formatting, links, lists and tables', () => {
    const html =
      '<h1>T</h1><p>a <b>b</b> <em>c</em><br />d</p><ul><li>e</li></ul><ol start="3"><li>f</li></ol>' +
      '<blockquote><code>g</code></blockquote><table><tbody><tr><td colspan="2">h</td></tr></tbody></table><hr />';
    expect(sanitizeHtml(html, policy)).toBe(html);
  });

  it('gives every link the same rel and no target', () => {
    expect(
      sanitizeHtml('<a href="https://a.example/?x=1&y=2" rel="opener" target="_blank">l</a>', policy),
    ).toBe('<a href="https://a.example/?x=1&amp;y=2" rel="noopener noreferrer nofollow">l</a>');
    expect(sanitizeHtml('<a href="mailto:a@b.example">l</a><a href="tel:+491">t</a>', policy)).toBe(
      '<a href="mailto:a@b.example" rel="noopener noreferrer nofollow">l</a>' +
        '<a href="tel:+491" rel="noopener noreferrer nofollow">t</a>',
    );
  });

  it('drops elements that are not text, with their content', () => {
    const html =
      'a<script>1</script><style>2</style><svg><text>3</text></svg><math>4</math><template>5</template>' +
      '<noscript>6</noscript><iframe>7</iframe><select><option>8</option></select><textarea>9</textarea><xmp>0</xmp>b';
    expect(sanitizeHtml(html, policy)).toBe('ab');
  });

  it('keeps the content of elements that are dropped', () => {
    expect(
      sanitizeHtml('<form action=x><label>Name <input value=1></label><button>Go</button></form>', policy),
    ).toBe('Name Go');
  });

  it('writes text as text', () => {
    expect(sanitizeHtml('1 < 2 & 3 > 2 &lt;b&gt; &amp;amp; &copy;', policy)).toBe(
      '1 &lt; 2 &amp; 3 &gt; 2 &lt;b&gt; &amp;amp; ©',
    );
  });

  longIt.each([
    ['divs', '<div>'],
    ['tags hidden from the first scan by comments', '<div><!--</div>-->'],
    ['tags hidden by attributes', '<div a="</div>">'],
    ['tags hidden by scripts', '<div><script></div></script>'],
    ['foreign elements', '<svg>'],
    ['formatting', '<b><i>'],
    ['table cells', '<table><tr><td>'],
    ['unknown tags', '<x>'],
  ])('survives a million nested %s', (_, unit) => {
    const bomb = `start ${unit.repeat(Math.floor(5_000_000 / unit.length))} end`;
    const clean = expectSafe(bomb, policy);
    expect(clean).toContain('start');
    expect(depthOf(clean)).toBeLessThanOrEqual(200);
  });

  it('keeps the text of markup nested too deep', () => {
    const deep = `${'<div>'.repeat(300)}core${'</div>'.repeat(300)}<p>after</p>`;
    expect(sanitizeHtml(deep, policy)).toBe(`${'<div>'.repeat(200)}core${'</div>'.repeat(200)}<p>after</p>`);
  });

  it('does not take unclosed paragraphs and items for depth', () => {
    const flat = '<p>a<ul><li>b<li>c</ul>'.repeat(500);
    expect(sanitizeHtml(flat, policy).match(/<p>/g)).toHaveLength(500);
  });

  const repeated = cases(
    [
      ['less signs', '<'],
      ['entities', '&amp;'],
    ],
    [
      ['empty elements', '<p>'],
      ['greater signs', '>'],
      ['stray end tags', '</p>'],
      ['links', '<a href=https://a.example>b</a>'],
      ['list items', '<li>'],
    ],
  ) as [string, string][];
  longIt.each(repeated)('reads only the beginning of 5 MB of %s, in the same way each time', (_, unit) => {
    const clean = expectSafe(unit.repeat(5_000_000 / unit.length), policy);
    expect((clean.match(/[<>&]/g) ?? []).length).toBeLessThanOrEqual(250_000);
    expect((clean.match(/[<>&]/g) ?? []).length).toBeGreaterThan(249_000);
  });

  it('never reads an attribute twice', () => {
    const attributes = Array.from({ length: reduced(200_000) }, (_, index) => `a${index}=1`).join(' ');
    expect(sanitizeHtml(`<p ${attributes}>x</p>`, policy)).toBe('<p>x</p>');
  });
});

describe('images', () => {
  it.each([
    ['https://a.example/a.png', false, true],
    ['cid:logo@a', true, true],
    ['http://a.example/a.png', false, true],
    ['//a.example/a.png', false, false],
    ['/files/1/download', false, false],
    ['a.png', false, false],
    ['data:image/png;base64,AA', false, false],
    ['ftp://a.example/a.png', false, false],
    ['', false, false],
  ])('with source %s: in comments %s, in mail %s', (src, inComment, inMail) => {
    const html = `<img src="${src}" alt="x" />`;
    expect(sanitizeHtml(html, 'comment')).toBe(inComment ? html : '');
    expect(sanitizeHtml(html, 'mail')).toBe(inMail ? html : '');
  });
});

describe('mail looks', () => {
  it('keeps safe style, table layout and fonts', () => {
    const html =
      '<table width="600" align="center" bgcolor="#fff" cellpadding="0"><tr><td valign="top" style="padding:4px">' +
      '<font color="red" face="Arial">a</font></td></tr></table>';
    expect(sanitizeHtml(html, 'mail')).toBe(html);
    expect(sanitizeHtml(html, 'comment')).toBe('<table><tr><td>a</td></tr></table>');
  });

  it.each([
    ['color: red; position:fixed', 'color:red'],
    ['COLOR:#FFF;background:url(x)', 'color:#FFF'],
    ["font-family:'Segoe UI',Arial;mso-x:1", "font-family:'Segoe UI',Arial"],
    ['color:rgb(1, 2, 3)', 'color:rgb(1, 2, 3)'],
    ['width:calc(1px)', ''],
    ['margin:-5px', ''],
    ['border-top:solid #E1E1E1 1.0pt', 'border-top:solid #E1E1E1 1.0pt'],
    ["font-family:'a;color:red", 'color:red'],
    ['color:red !important', 'color:red !important'],
    ['color:\\72 ed', ''],
    ['font-family:微软雅黑', 'font-family:微软雅黑'],
  ])('style %s becomes %s', (style, kept) => {
    expect(sanitizeHtml(`<p style="${style}">x</p>`, 'mail')).toBe(
      kept ? `<p style="${kept}">x</p>` : '<p>x</p>',
    );
  });

  it('keeps only the classes and ids by which mail programs mark quotes, as classes', () => {
    expect(sanitizeHtml('<div id="divRplyFwdMsg" class="gmail_quote evil">x</div>', 'mail')).toBe(
      '<div class="gmail_quote divRplyFwdMsg">x</div>',
    );
    expect(sanitizeHtml('<div id="login" class="modal">x</div>', 'mail')).toBe('<div>x</div>');
    expect(sanitizeHtml('<div class="gmail_quote">x</div>', 'comment')).toBe('<div>x</div>');
  });

  it.each([
    '#top',
    '//a.example/b',
    '\t//a.example/b',
    'HTTPS://a.example',
    'https:\\\\a.example',
    'ht\ntps://a.example',
  ])('keeps a link to %j', (href) => {
    const clean = sanitizeHtml(`<a href="${href}">x</a>`, 'mail');
    expect(clean).toBe(`<a href="${href.trim()}" rel="noopener noreferrer nofollow">x</a>`);
  });

  it.each([
    '/account/delete',
    'account/delete',
    '?delete=1',
    'https:account/delete',
    'https:/account/delete',
    'ht tps://../../account/delete',
    'ht\u2003tps://../../account/delete',
    'https\u00a0://../../account/delete',
    'ht\u200btps://../../account/delete',
    '\u0080https://../../account/delete',
    '/ /account',
    '/\u2003/account',
  ])('drops a link to %j, into the site that shows the mail', (href) => {
    expect(sanitizeHtml(`<a href="${href}">x</a>`, 'mail')).toBe('<a>x</a>');
  });

  it('leaves no link into the site that shows the mail, whatever its spelling', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'http',
        'https',
        ':',
        '/',
        '\\',
        '#',
        '..',
        ' ',
        '\t',
        '\n',
        '\u00a0',
        '\u200b',
        '\u0001',
        'a',
        '@',
        '?',
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const escaped = pieces.join('').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        const clean = sanitizeHtml(`<a href="${escaped}">x</a>`, 'mail');
        const href = /href="([^"]*)"/.exec(clean)?.[1]?.replace(/&(?:amp|lt|gt|quot);/g, 'x');
        const site = 'https://app.example/inbox/1';
        if (href === undefined || !URL.canParse(href, site)) return;
        const { host, href: link } = new URL(href, site);
        // A jump inside the mail.
        if (link.split('#')[0] !== site) expect(host).not.toBe('app.example');
      }),
      { numRuns: reduced(2000) },
    );
  });

  it('writes only its own rel and type', () => {
    expect(sanitizeHtml('<a rel="opener">x</a><a rel="opener" href="/a">y</a>', 'mail')).toBe(
      '<a>x</a><a>y</a>',
    );
    expect(sanitizeHtml('<a rel="opener">x</a>', 'comment')).toBe('<a>x</a>');
    expect(
      sanitizeHtml(
        '<blockquote type="cite">x</blockquote><blockquote type="image/png">y</blockquote>',
        'mail',
      ),
    ).toBe('<blockquote type="cite">x</blockquote><blockquote>y</blockquote>');
    expect(sanitizeHtml('<blockquote type="cite">x</blockquote><a type="text/html">y</a>', 'comment')).toBe(
      '<blockquote>x</blockquote><a>y</a>',
    );
  });
});
