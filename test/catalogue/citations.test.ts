import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Comments span several lines, and so do their citations. */
const unfolded = (text: string) => text.replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ');

const CITATION = /docs\/specification\/([a-z]+\.md)(?:, "([^"]+)")?/g;

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
const headingsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map((match) => match[1] as string);

describe('a citation', () => {
  const files = globSync('{functions,shared,infra,test}/**/*.ts', { cwd: root });
  const cited = files.flatMap((file) =>
    [...unfolded(read(file)).matchAll(CITATION)].map(([, page = '', heading]) => ({ file, page, heading })),
  );

  it('in a comment names a page of the specification and a heading on it', () => {
    expect(cited.length).toBeGreaterThan(50);
    const wrong = cited.filter(({ page, heading }) => {
      const path = `docs/specification/${page}`;
      return !existsSync(join(root, path)) || (heading !== undefined && !headingsOf(path).includes(heading));
    });
    expect(wrong).toEqual([]);
  });

  it('on a page names a page and a heading that exist', () => {
    const pages = [...globSync('docs/**/*.md', { cwd: root }), 'README.md'];
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, to = '', anchor]) => ({
        page,
        to: to === '' ? page : join(dirname(page), to),
        anchor,
      })),
    );
    expect(links.length).toBeGreaterThan(100);
    const wrong = links.filter(
      ({ to, anchor }) =>
        !existsSync(join(root, to)) ||
        (anchor !== undefined && to.endsWith('.md') && !headingsOf(to).map(anchorOf).includes(anchor)),
    );
    expect(wrong).toEqual([]);
  });

  it('of a test on a page names a file or a folder that exists', () => {
    const pages = ['docs/SECURITY.md', ...globSync('docs/decisions/*.md', { cwd: root })];
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => ({ page, path })),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
  });
});
