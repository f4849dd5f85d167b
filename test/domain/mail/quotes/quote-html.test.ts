import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitHtml } from '#shared/domain/mail/quotes/quote-html.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { ANSWER, QUESTION, REPLIES, UNSPLIT } from './fixtures/replies.ts';

// A list item open at the split is opened again, which shows its bullet once more.
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '' && word !== '-');

/** Checks the invariants of every split. */
function expectLossless(sanitized: string, forwarded = false) {
  const { html, text } = splitHtml(sanitized, forwarded);
  const whole = htmlToText(sanitized);
  expect(text.fresh + (text.quoted ?? '')).toBe(whole);
  expect(words(`${htmlToText(html.fresh)} ${htmlToText(html.quoted ?? '')}`)).toEqual(words(whole));
  expect(sanitizeHtml(html.fresh, 'mail')).toBe(html.fresh);
  if (html.quoted !== null) expect(sanitizeHtml(html.quoted, 'mail')).toBe(html.quoted);
}

describe('replies of mail programs', () => {
  it.each(Object.entries(REPLIES))('%s', (_, html) => {
    const sanitized = sanitizeHtml(html, 'mail');
    const { html: halves, text } = splitHtml(sanitized);
    expect(htmlToText(halves.fresh)).toContain(ANSWER);
    expect(htmlToText(halves.fresh)).not.toContain(QUESTION);
    expect(htmlToText(halves.fresh)).not.toMatch(/wrote|schrieb|From|Von|Sent:|发件人|Ann/);
    expect(htmlToText(halves.quoted!)).toContain(QUESTION);
    expect(htmlToText(halves.quoted!)).not.toContain(ANSWER);
    expect(text.fresh).toContain(ANSWER);
    expect(text.quoted).toContain(QUESTION);
    expectLossless(sanitized);
  });

  it.each(Object.entries(UNSPLIT))('%s is all new', (_, html) => {
    const sanitized = sanitizeHtml(html, 'mail');
    const { html: halves, text } = splitHtml(sanitized);
    expect(halves).toEqual({ fresh: sanitized, quoted: null });
    expect(text.quoted).toBeNull();
    expect(text.fresh).toContain(ANSWER);
  });

  it('an Outlook header block under a forward subject is all new', () => {
    const sanitized = sanitizeHtml(REPLIES['Outlook desktop']!, 'mail');
    expect(splitHtml(sanitized, true).html).toEqual({ fresh: sanitized, quoted: null });
  });

  it.each(['', '<br>'])('keeps an image above the quote in the new part (%j)', (gap) => {
    const quote = REPLIES.Gmail!.slice(REPLIES.Gmail!.indexOf('<div class="gmail_quote'));
    const signature = '<div class="gmail_signature"><img src="cid:logo"></div>';
    const { html } = splitHtml(sanitizeHtml(`<div>${ANSWER}</div>${signature}${gap}${quote}`, 'mail'));
    expect(html.fresh).toContain('cid:logo');
    expect(html.quoted).toContain(QUESTION);
    expect(html.quoted).not.toContain('cid:logo');
  });

  it('closes elements open at the split in the new part and opens them again in the quote', () => {
    const html = sanitizeHtml(
      `<table><tr><td><b>${ANSWER}<br>Ann wrote:<blockquote>${QUESTION}</blockquote></b></td></tr></table>`,
      'mail',
    );
    const { html: halves } = splitHtml(html);
    expect(halves.fresh).toBe(`<table><tr><td><b>${ANSWER}<br /></b></td></tr></table>`);
    expect(halves.quoted).toBe(
      `<table><tr><td><b>Ann wrote:<blockquote>${QUESTION}</blockquote></b></td></tr></table>`,
    );
  });
});

describe('any HTML', () => {
  const piece = fc.oneof(
    fc.constantFrom(...Object.values(REPLIES), ...Object.values(UNSPLIT)),
    fc.constantFrom(
      '<div>',
      '</div>',
      '<blockquote>',
      '</blockquote>',
      '<p>',
      '<br>',
      '<li>',
      '<pre>',
      '</pre>',
      '<hr>',
      '<td>',
      'a',
      ' ',
      '\n',
    ),
    fc.constantFrom(
      'Ann wrote:',
      'From: a',
      '<div class="gmail_quote">',
      '<div id="divRplyFwdMsg">',
      '<img src="cid:a">',
      'Fine. On Tue, <i>Nov 17</i>, 2009, Ann &lt;ann@a.example&gt; wrote:',
      '<hr>Date: 17.11.2009<br>To: ann@a.example<br>',
      '-- ',
      '&gt; ',
    ),
    fc.string(),
  );

  it('is split without loss into well-formed halves', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, forwarded) => {
        expectLossless(sanitizeHtml(pieces.join(''), 'mail'), forwarded);
      }),
      { numRuns: 500 },
    );
  });
});
