import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToText } from '#shared/domain/platform/html/text.ts';

describe('htmlToText', () => {
  it.each([
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['<div>a</div><div>b</div>', 'a\nb'],
    ['a<br>b<br><br>c', 'a\nb\n\nc'],
    ['<div>a<br></div><div>b</div>', 'a\nb'],
    ['<a href="https://a.example">link</a> text', 'link text'],
    ['a &amp; b &lt;c&gt; &eacute;&#128512; &quot;', 'a & b <c> é😀 "'],
    ['a<script>x</script><style>y</style>b', 'ab'],
    ['<ul><li>a</li><li><p>b</p></li></ul>c', '- a\n- b\n\nc'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['  a \n\t b  <b> c</b>d ', 'a b cd'],
    ['<pre>a\n  b\n\nc</pre>', 'a\n  b\n\nc'],
    ['<pre>a\n<b>  b\n  c</b></pre>', 'a\n  b\n  c'],
    ['a&nbsp;b<p>&nbsp;</p>c', 'a b\n\n\n\nc'],
    ['<title>t</title><head><meta charset=x></head><body>b</body>', 'b'],
    ['<h1>t</h1>x<hr>y', 't\n\nx\ny'],
    ['<img src="https://a.example/a.png" alt="alt">', ''],
    ['', ''],
    ['1 < 2', '1 < 2'],
    ['<p>a', 'a'],
  ])('%j shows %j', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it('returns the text that was escaped into HTML', () => {
    const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    fc.assert(
      fc.property(fc.string(), (text) => {
        const shown = text
          .replace(/[\0\r]/g, '')
          .replace(/[ \t\n\f]+/g, ' ')
          .replaceAll('\u00a0', ' ')
          .trim();
        expect(htmlToText(escaped(text.replaceAll('\r', ''))).trim()).toBe(shown);
      }),
    );
  });

  it.each([
    ['nested', '<div>'.repeat(1_000_000), ''],
    ['unclosed', `x${'<a '.repeat(1_000_000)}`, 'x'],
    ['one long line', `${'word<b></b> '.repeat(40_000)}`, 'word '.repeat(40_000).trim()],
    ['line breaks', `<pre>${'a\n'.repeat(500_000)}`, 'a\n'.repeat(500_000).trim()],
  ])('reads hostile input to the end: %s', (_, html, text) => {
    expect(htmlToText(html) === text).toBe(true);
  });
});
