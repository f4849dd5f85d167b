import { describe, expect, it } from 'vitest';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { xssVectors } from '../support/xss-vectors.ts';
import { openPage } from './chromium.ts';
import { serveFrames } from './frames.ts';

/** Frames of one page: each is a document of its own. */
const FRAMES = 60;

/** The scripts of these vectors that ran, as `vector: what`. */
async function whatRan(vectors: string[], prepare: (html: string) => string): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < vectors.length; i += FRAMES) {
    const some = vectors.slice(i, i + FRAMES);
    const frames = await serveFrames(some.map(prepare));
    try {
      expect(await openPage(frames.url)).toContain('/frame/0');
      for (const [number, what] of frames.ran) found.push(`${some[number]}: ${what}`);
    } finally {
      frames.stop();
    }
  }
  return found;
}

/** Scripts that every browser runs: a harness that misses these misses everything. */
const running = [
  '<img src=/x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<body onload=alert(1)>',
  '<script>alert(1)</script>',
  '<a href="javascript:alert(1)">x</a>',
  '<p onmouseover=alert(1)>x</p>',
];

describe('published XSS vectors in a browser', () => {
  it('run when unchanged, so the harness notices scripts', async () => {
    const found = await whatRan(running, (html) => html);
    expect(found.length).toBe(running.length);
  });

  it.each(['comment', 'mail'] as const)('run nothing once they are cleaned as a %s', async (policy) => {
    expect(await whatRan(xssVectors, (html) => sanitizeHtml(html, policy))).toEqual([]);
  });
});
