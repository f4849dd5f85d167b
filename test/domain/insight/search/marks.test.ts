import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snippetOf } from '#shared/domain/insight/search/marks.ts';
import { queryOf } from '#shared/domain/insight/search/query.ts';
import { textIn } from '#shared/domain/insight/search/texts.ts';

const snippet = (text: string, query: string) => {
  const [first] = textIn('name', text);
  return first && snippetOf(first, queryOf(query));
};

const textOf = (html: string) =>
  html
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('a snippet', () => {
  it.each([
    ['Straße', 'strasse', '<mark>Straße</mark>'],
    ['Straße', 'stras', '<mark>Straß</mark>e'],
    ['ﬁnal ﬂoor', 'fi fl', '<mark>ﬁ</mark>nal <mark>ﬂ</mark>oor'],
    ['Zoe\u0308 Brandt', 'zoe', '<mark>Zoe\u0308</mark> Brandt'],
    ['Zoë Brandt', 'zoe\u0308', '<mark>Zoë</mark> Brandt'],
    ['İstanbul', 'istan', '<mark>İstan</mark>bul'],
    ['ΟΔΟΣ', 'οδος', '<mark>ΟΔΟΣ</mark>'],
    ['👩‍👧 Ada 🙂', 'ada', '👩‍👧 <mark>Ada</mark> 🙂'],
    ['co\u00adoperate', 'coop', '<mark>co\u00adop</mark>erate'],
    ['שלום עולם', 'עול', 'שלום <mark>עול</mark>ם'],
    ['東京の灯台', '灯台', '東京の<mark>灯台</mark>'],
    ['Ｆｕｌｌ width', 'full', '<mark>Ｆｕｌｌ</mark> width'],
    ['<b>Ada</b> & "Co"', 'ada', '&lt;b&gt;<mark>Ada</mark>&lt;/b&gt; &amp; &quot;Co&quot;'],
    ['<mark>x</mark> mark', 'mark', '&lt;<mark>mark</mark>&gt;x&lt;/<mark>mark</mark>&gt; <mark>mark</mark>'],
    ["<img src=x onerror='alert(1)'>", 'img', '&lt;<mark>img</mark> src=x onerror=&#39;alert(1)&#39;&gt;'],
    ['ada ada', 'a ad', '<mark>ad</mark>a <mark>ad</mark>a'],
    ['two\n  lines', 'lines', 'two <mark>lines</mark>'],
  ])('of %j for %j', (text, query, html) => {
    expect(snippet(text, query)).toBe(html);
  });

  it('of a long text has what is around the first match', () => {
    const html = snippet(`${'word '.repeat(100)}needle${' word'.repeat(100)}`, 'needle') as string;
    expect(html).toMatch(/^….*<mark>needle<\/mark>.*…$/);
    expect(html.length).toBeLessThan(200);
  });

  it('is the text with marks, whatever that is', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('ß', 'ﬁ', 'e\u0301', '<mark>', '&amp;', '👩‍👧', 'ada', ' '),
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (shown, query) => {
        const html = snippet(shown, query);
        if (html === undefined) return;
        const clean = shown.replaceAll(/\s+/gu, ' ').trim();
        const plain = textOf(html);
        expect(clean.includes(plain.replaceAll(/^…|…$/g, '')) || clean === plain).toBe(true);
        expect(html.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
      }),
    );
  });
});
