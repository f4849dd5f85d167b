import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockRemote } from '#shared/domain/platform/html/remote.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { loadingVectors } from '../../../support/loading-vectors.ts';

const HOST = 'tracker.example';
const ADDRESS = `https://${HOST}/p.png`;
const FILE =
  '/files/0198c0de-0000-7000-8000-000000000001/download?attachment_id=0198c0de-0000-7000-8000-000000000002';

/** The HTML without the parts that no program loads: kept addresses, links and text. */
const loadable = (html: string) =>
  html
    .replace(/ data-blocked-[a-z]+="[^"]*"/g, '')
    .replace(/(<a)((?: [a-z-]+="[^"]*")*?) href="[^"]*"/g, '$1$2')
    .replace(/ (?:alt|title)="[^"]*"/g, '')
    .replace(/ src="cid:[^"]*"/gi, '')
    .match(/<[^>]*>/g)
    ?.join('') ?? '';

const shown = (html: string) => blockRemote(sanitizeHtml(html, 'mail'));

describe('blockRemote', () => {
  it.each([
    [`<img src="${ADDRESS}" alt="a" />`, `<img data-blocked-src="${ADDRESS}" alt="a" />`],
    [
      `<p>a</p><img width="1" src="http://${HOST}/?a=1&amp;b=2" />`,
      `<p>a</p><img width="1" data-blocked-src="http://${HOST}/?a=1&amp;b=2" />`,
    ],
    [`<img src="//${HOST}/p.png" />`, `<img data-blocked-src="//${HOST}/p.png" />`],
    [`<img src="/files//${HOST}/download?" />`, `<img data-blocked-src="/files//${HOST}/download?" />`],
    ['<img src="/p.png" />', '<img data-blocked-src="/p.png" />'],
    ['<img src="data:image/png;base64,AA" />', '<img data-blocked-src="data:image/png;base64,AA" />'],
    [`<IMG SRC='${ADDRESS}'>`, `<IMG data-blocked-SRC='${ADDRESS}'>`],
    [`<td background="${ADDRESS}">a</td>`, `<td data-blocked-background="${ADDRESS}">a</td>`],
    [
      `<img src="cid:a" srcset="cid:a, ${ADDRESS} 2x" />`,
      `<img src="cid:a" data-blocked-srcset="cid:a, ${ADDRESS} 2x" />`,
    ],
    [`<video poster="${ADDRESS}"></video>`, `<video data-blocked-poster="${ADDRESS}"></video>`],
    [`<link href="${ADDRESS}" />`, `<link data-blocked-href="${ADDRESS}" />`],
    [
      `<p style="color:red;background:url(${ADDRESS})">a</p>`,
      `<p data-blocked-style="color:red;background:url(${ADDRESS})" style="color:red">a</p>`,
    ],
    [
      `<p style="background:url(&quot;${ADDRESS}&quot;)">a</p>`,
      `<p data-blocked-style="background:url(&quot;${ADDRESS}&quot;)">a</p>`,
    ],
  ])('%s', (html, blocked) => {
    expect(blockRemote(html)).toBe(blocked);
    expect(blockRemote(blocked)).toBe(blocked);
  });

  it.each([
    '<img src="cid:logo@a.example" alt="a" />',
    '<img src="CID:logo" />',
    `<img src="${FILE}" width="9" />`,
    `<a href="${ADDRESS}" rel="noopener noreferrer nofollow">a</a>`,
    `<p title="src=&quot;${ADDRESS}&quot;">&lt;img src="${ADDRESS}"&gt;</p>`,
    `<p style="color:rgb(1, 2, 3);font-family:'Segoe UI'">url(${ADDRESS})</p>`,
    `<img data-blocked-src="${ADDRESS}" />`,
    '<img alt="src" />',
    '',
  ])('leaves %s as it is', (html) => {
    expect(blockRemote(html)).toBe(html);
  });

  it.each(loadingVectors(ADDRESS))('leaves nothing to load in a mail with %j', (vector) => {
    for (const html of [vector, `<div>${vector}</div>`, `<table><tr><td>${vector}`]) {
      const blocked = shown(html);
      expect(loadable(blocked)).not.toMatch(/tracker|url\(|image-set|srcset|https?:|\/\//i);
      expect(htmlToText(blocked)).toBe(htmlToText(html));
    }
  });

  it.each(loadingVectors(ADDRESS))('a comment has no image from elsewhere: %j', (vector) => {
    const clean = sanitizeHtml(vector, 'comment');
    expect(loadable(clean)).not.toMatch(/tracker|url\(|image-set|srcset|https?:|\/\//i);
    expect(clean).toBe(blockRemote(clean));
  });

  it('keeps the address of each image, so that a client can load it when asked to', () => {
    const html = sanitizeHtml(`<p>a</p><img src="${ADDRESS}?a&amp;b" alt="Map"><img src="cid:x">`, 'mail');
    expect(blockRemote(html)).not.toBe(html);
    expect(blockRemote(html).replaceAll('data-blocked-src', 'src')).toBe(html);
  });

  it('gives everything back when the names are put back, in any sanitized HTML', () => {
    const piece = fc.oneof(
      fc.constantFrom(...loadingVectors(ADDRESS)),
      fc.constantFrom('<p>', '</p>', '<img ', ' src="', '">', "'", `<img src="${FILE}">`, '<a href="'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const html = sanitizeHtml(pieces.join(''), 'mail');
        const blocked = blockRemote(html);
        expect(loadable(blocked)).not.toMatch(/ src="(?!cid:|\/files\/)/i);
        expect(blocked.replaceAll(' data-blocked-src="', ' src="')).toBe(html);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['images', `<img src="${ADDRESS}" />`],
    ['attributes', '<p title="'],
    ['open tags', '<img src='],
  ])('reads 1 MB of %s to the end', (_, unit) => {
    const html = unit.repeat(1_000_000 / unit.length);
    expect(blockRemote(html).length).toBeGreaterThanOrEqual(html.length);
  });
});
