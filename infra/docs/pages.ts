import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Link, layout, SERVICE } from './layout.ts';
import { renderMarkdown } from './render.ts';

/** The pages below /docs, made from Markdown in docs/ when static files are collected. */

const docs = join(import.meta.dirname, '..', '..', 'docs');

/** Markdown by the name of its page; getting started is on /docs itself. */
const START = 'guides/getting-started.md';
const sources: Record<string, { file: string; title: string }> = {
  pagination: { file: 'guides/pagination.md', title: 'Pagination' },
  integrations: { file: 'guides/integrations.md', title: 'Integrations' },
  idempotency: { file: 'guides/idempotency.md', title: 'Idempotency' },
  'rate-limits': { file: 'guides/rate-limits.md', title: 'Rate limits' },
  'live-updates': { file: 'guides/live-updates.md', title: 'Live updates' },
  assistant: { file: 'guides/assistant.md', title: 'Assistant' },
  errors: { file: 'errors.md', title: 'Errors' },
};

/** `home` is /docs, `assets` the folder of its files: each relative to the page. */
interface Place {
  home: string;
  assets: string;
}

const atDocs: Place = { home: 'docs', assets: 'docs/' };
const belowDocs: Place = { home: '../docs', assets: '' };

const linksFrom = ({ home, assets }: Place): Link[] => [
  { href: home, title: 'Getting started' },
  { href: `${home}#reference`, title: 'Reference' },
  ...Object.entries(sources).map(([name, { title }]) => ({ href: `${assets}${name}`, title })),
];

function pageOf(file: string, { home, assets }: Place): string | undefined {
  if (file === START) return home;
  const name = Object.keys(sources).find((each) => sources[each]?.file === file);
  return name && `${assets}${name}`;
}

async function render(file: string, place: Place): Promise<string> {
  const text = await readFile(join(docs, file), 'utf8');
  return renderMarkdown({ file, text, linkTo: (other) => pageOf(other, place) });
}

const REFERENCE = `<section id="reference">
<h2><a href="#reference">Reference</a></h2>
<p><label for="search">Search operations by name, summary or path</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="for example: snooze"></p>
<p id="found" role="status"></p>
<ul id="results"></ul>
<p><strong>Authorize</strong> takes a key to try operations with. It stays in this browser, in the local storage of this
address under <code>authorized</code>, also after a reload and until you press <strong>Logout</strong> there: on a shared
computer, log out.</p>
<p>The page <a href="docs/errors">Errors</a> shows what each error looks like. All this is also in
<a href="openapi.json">openapi.json</a>.</p>
<div id="docs"></div>
</section>
`;

async function mainPage(): Promise<string> {
  return layout({
    title: SERVICE,
    assets: atDocs.assets,
    links: linksFrom(atDocs),
    current: atDocs.home,
    body: `<article>\n${await render(START, atDocs)}</article>\n${REFERENCE}`,
    styles: ['swagger-ui.css'],
    scripts: ['swagger-ui-bundle.js', 'resolve.js', 'init.js'],
  });
}

async function guide(name: string, { file, title }: { file: string; title: string }): Promise<string> {
  const body = `<article>\n${await render(file, belowDocs)}</article>\n`;
  return layout({ title, assets: belowDocs.assets, links: linksFrom(belowDocs), current: name, body });
}

/** HTML by the name of its file. */
export async function docsPages(): Promise<Record<string, string>> {
  const guides = Object.entries(sources).map(
    async ([name, source]) => [`${name}.html`, await guide(name, source)] as const,
  );
  return { 'docs.html': await mainPage(), ...Object.fromEntries(await Promise.all(guides)) };
}
