import { describe, expect, it } from 'vitest';
import { blockRemote } from '#shared/domain/platform/html/remote.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { loadingVectors } from '../support/loading-vectors.ts';
import { openPage } from './chromium.ts';
import { ELSEWHERE, serveFrames } from './frames.ts';

/** Frames of one page: each is a document of its own. */
const FRAMES = 60;

/** Those of the given HTML that loaded something from elsewhere. */
async function whatLoaded(all: string[], prepare: (html: string) => string): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < all.length; i += FRAMES) {
    const some = all.slice(i, i + FRAMES);
    const frames = await serveFrames(some.map(prepare));
    try {
      expect(await openPage(frames.url)).toContain('/frame/0');
      for (const number of frames.loaded) found.push(some[number]!);
    } finally {
      frames.stop();
    }
  }
  return found;
}

const address = `http://${ELSEWHERE}/p.png`;
const vectors = loadingVectors(address);

/** Images that every browser loads: a harness that misses these misses everything. */
const loading = [
  `<img src="${address}">`,
  `<img src="//${ELSEWHERE}/p.png">`,
  `<img srcset="${address} 1x">`,
  `<table background="${address}"><tr><td>a</table>`,
  `<p style="background:url(${address})">a</p>`,
  `<style>@import "${address}";</style>`,
  `<link rel="stylesheet" href="${address}">`,
  `<video poster="${address}"></video>`,
  `<input type="image" src="${address}">`,
  `<svg><image href="${address}"/></svg>`,
];

describe('images from elsewhere in a browser', () => {
  it('load when unchanged, so the harness notices loading', async () => {
    expect((await whatLoaded(loading, (html) => html)).toSorted()).toEqual(loading.toSorted());
  });

  it('load in a mail that is shown with images', async () => {
    const found = await whatLoaded(vectors, (html) => sanitizeHtml(html, 'mail'));
    expect(found).toContain(`<img src="${address}">`);
  });

  it('do not load in a mail that is shown without images', async () => {
    expect(await whatLoaded(vectors, (html) => blockRemote(sanitizeHtml(html, 'mail')))).toEqual([]);
  });

  it('do not load through any attribute once blocked, sanitized or not', async () => {
    const sanitizedElsewhere = /<(?:style|svg|math|script|base|meta|form|!--)/;
    const some = vectors.filter((html) => !sanitizedElsewhere.test(html));
    expect(await whatLoaded(some, blockRemote)).toEqual([]);
  });

  it('do not load in a comment', async () => {
    expect(await whatLoaded(vectors, (html) => sanitizeHtml(html, 'comment'))).toEqual([]);
  });
});
