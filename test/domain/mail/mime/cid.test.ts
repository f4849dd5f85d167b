import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveInlineImages } from '#shared/domain/mail/mime/cid.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';

const PATH = '/files/f1/download?attachment_id=a1';
const known = new Map([['logo@a.example', PATH]]);

describe('resolveInlineImages', () => {
  it.each([
    ['<img src="cid:logo@a.example" />', `<img src="${PATH}" />`],
    ['<img alt="x" src="cid:LOGO@A.example" width="1" />', `<img alt="x" src="${PATH}" width="1" />`],
    ['<img src="CID:logo%40a.example" />', `<img src="${PATH}" />`],
    ["<img src='cid:logo@a.example'>", `<img src='${PATH}'>`],
    ['<img src=cid:logo@a.example>', `<img src=${PATH}>`],
    ['<IMG\nSRC = "cid:logo@a.example">', `<IMG\nSRC = "${PATH}">`],
  ])('%s', (html, resolved) => {
    expect(resolveInlineImages(html, known)).toBe(resolved);
  });

  it.each([
    '<img src="cid:other@a.example" />',
    '<img src="https://a.example/cid:logo@a.example" />',
    '<img alt="src=&quot;cid:logo@a.example&quot;" />',
    '<img alt=\' src="cid:logo@a.example" \' src="https://a.example/a.png">',
    '<img title="a > b src=cid:logo@a.example" />',
    '<img data-src="cid:logo@a.example">',
    '<img src="https://a.example/a.png" src="cid:logo@a.example">',
    '<a href="cid:logo@a.example">cid:logo@a.example</a>',
    '<p>&lt;img src="cid:logo@a.example"&gt;</p>',
    '<p title="<img src=cid:logo@a.example>">x</p>',
    '<!-- <img src="cid:logo@a.example"> -->',
    '<!-- a > b and <img src="cid:logo@a.example"> -->',
    '<imgx src="cid:logo@a.example">',
    '</img src="cid:logo@a.example">',
    '<img src="cid:" />',
    '<img src="cid:%" />',
    '<img src',
    '',
  ])('leaves %s alone', (html) => {
    expect(resolveInlineImages(html, known)).toBe(html);
  });

  it('compares ids as mail headers write them', () => {
    const html =
      '<img src="cid:a&amp;b" /><img src="cid:a%26b" /><img src="cid:50%25" /><img src="cid:%zz" /><img src="cid:a%41" />';
    const sources = new Map([
      ['<A&b>', '/1'],
      ['50%', '/2'],
      ['%ZZ', '/3'],
      ['a%41', '/4'],
    ]);
    expect(resolveInlineImages(html, sources)).toBe(
      '<img src="/1" /><img src="/1" /><img src="/2" /><img src="/3" /><img src="/4" />',
    );
  });

  it('cannot break out of the attribute', () => {
    const hostile = new Map([['a', "\"><script>alert(1)</script> onerror='x'&"]]);
    expect(resolveInlineImages('<img src="cid:a" />', hostile)).toBe(
      '<img src="%22%3E%3Cscript%3Ealert(1)%3C/script%3E%20onerror=%27x%27&amp;" />',
    );
  });

  it('changes nothing but known sources in any sanitized HTML', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<img src="cid:logo@a.example">',
        '<img src=cid:x>',
        '<p title="',
        "'",
        '"',
        '>',
        '<',
        ' src=cid:logo@a.example ',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const html = sanitizeHtml(pieces.join(''), 'mail');
        const resolved = resolveInlineImages(html, known);
        expect(resolved.replaceAll(`src="${PATH}"`, 'src="cid:logo@a.example"')).toBe(html);
        expect(resolveInlineImages(html, new Map())).toBe(html);
      }),
    );
  });
});
