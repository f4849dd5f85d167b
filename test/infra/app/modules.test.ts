import { describe, expect, it } from 'vitest';
import { commentContent } from '../../../infra/app/browser/comment-content.ts';
import { piecesOf } from '../../../infra/app/browser/marks.ts';
import { placeOf, placeOfRecord, readPlace } from '../../../infra/app/browser/place.ts';
import { snoozeTimes } from '../../../infra/app/browser/snooze-times.ts';

/** The rules of the page at /app that need no browser. */

describe('addresses', () => {
  it.each([
    ['', { section: '', id: undefined, query: {} }],
    ['#/threads', { section: 'threads', id: undefined, query: {} }],
    [
      '#/threads/a%2Fb?slice=unread&query=a+b',
      { section: 'threads', id: 'a/b', query: { slice: 'unread', query: 'a b' } },
    ],
    ['#/%E0%A4%A/%', { section: '%E0%A4%A', id: '%', query: {} }],
    ['#/threads?query=a?b', { section: 'threads', id: undefined, query: { query: 'a?b' } }],
  ])('%s is read', (hash, place) => {
    expect(readPlace(hash)).toEqual(place);
  });

  it('are what was read, without empty filters', () => {
    const hash = placeOf({ section: 'threads', id: 'a/"b', query: { slice: '', query: 'ä&b' } });
    expect(hash).toBe('#/threads/a%2F%22b?query=%C3%A4%26b');
    expect(readPlace(hash)).toEqual({ section: 'threads', id: 'a/"b', query: { query: 'ä&b' } });
  });

  it('of records are within the page, whatever the id is', () => {
    expect(placeOfRecord('thread', 'javascript:alert(1)')).toBe('#/threads/javascript%3Aalert(1)');
    expect(placeOfRecord('mailbox', 'a')).toBeUndefined();
    expect(placeOfRecord('thread', null)).toBeUndefined();
  });
});

describe('snippets of the search', () => {
  it('are pieces of text, of which some are hits', () => {
    expect(
      piecesOf('The <mark>winch</mark> &amp; the &lt;b&gt;crane&lt;/b&gt;, &quot;new&quot; it&#39;s'),
    ).toEqual([
      { text: 'The ', hit: false },
      { text: 'winch', hit: true },
      { text: ' & the <b>crane</b>, "new" it\'s', hit: false },
    ]);
  });

  it('keep other tags as text, and read an entity once', () => {
    expect(piecesOf('<img src=x> <mark>a</mark>&amp;lt;')).toEqual([
      { text: '<img src=x> ', hit: false },
      { text: 'a', hit: true },
      { text: '&lt;', hit: false },
    ]);
  });
});

describe('comments', () => {
  const grace = { id: 'g', name: 'Grace' };
  const hopper = { id: 'h', name: 'Grace Hopper' };
  const inlines = (text: string) =>
    JSON.parse(commentContent(text, [grace, hopper]).json_content).content[0].content;

  it('mention colleagues by @Name, the longest one, and the assistant', () => {
    expect(inlines('Ask @grace hopper or @Grace, @assistant')).toEqual([
      { type: 'text', text: 'Ask ' },
      { type: 'mention', attrs: { id: 'h', label: 'Grace Hopper' } },
      { type: 'text', text: ' or ' },
      { type: 'mention', attrs: { id: 'g', label: 'Grace' } },
      { type: 'text', text: ', ' },
      { type: 'mention', attrs: { id: 'assistant', label: 'assistant' } },
    ]);
  });

  it('are text: markup is escaped, lines and paragraphs stay', () => {
    const { html_content } = commentContent('<b>a</b> & "c"\nd\n\n@Grace <i>', [grace]);
    expect(html_content).toBe('<p>&lt;b&gt;a&lt;/b&gt; &amp; &quot;c&quot;<br>d</p><p>@Grace &lt;i&gt;</p>');
  });

  it.each(['mail x@grace.example', '@Gracefully', '@ Grace'])('take %s for no mention', (text) => {
    expect(inlines(text)).toEqual([{ type: 'text', text }]);
  });
});

describe('times to snooze until', () => {
  it.each([
    [
      'a Wednesday',
      new Date(2026, 10, 25, 22, 0),
      [new Date(2026, 10, 26, 1, 0), new Date(2026, 10, 26, 9), new Date(2026, 10, 30, 9)],
    ],
    [
      'a Sunday',
      new Date(2026, 10, 29, 8, 0),
      [new Date(2026, 10, 29, 11, 0), new Date(2026, 10, 30, 9), new Date(2026, 10, 30, 9)],
    ],
    [
      'a Monday',
      new Date(2026, 10, 30, 8, 0),
      [new Date(2026, 10, 30, 11, 0), new Date(2026, 11, 1, 9), new Date(2026, 11, 7, 9)],
    ],
  ])('on %s', (_, now, times) => {
    expect(snoozeTimes(now).map(({ until }) => until)).toEqual(times);
  });
});
