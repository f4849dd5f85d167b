import { join } from 'node:path';
import { build } from 'esbuild';
import { layout, SERVICE } from '../docs/layout.ts';

/** The page at /app: the layout of the documentation around what `browser` makes of the API. */

const browser = join(import.meta.dirname, 'browser');

/** The addresses of sections.ts, in its order. */
const SECTIONS: Record<string, string> = {
  '': 'Dashboard',
  threads: 'Threads',
  contacts: 'Contacts',
  organizations: 'Organizations',
  deals: 'Deals',
  tasks: 'Tasks',
  files: 'Files',
  calendar_events: 'Events',
  notifications: 'Notifications',
  conversations: 'Assistant',
  proposals: 'Proposals',
  search: 'Search',
};

const TOOLS = `<p class="account"><span id="who"></span>
<button id="keys" type="button">Keys</button>
<button id="sign-out" type="button">Sign out</button></p>
`;

const BODY = `<p id="status" role="status"></p>
<p id="problem" role="alert"></p>
<noscript>This page needs JavaScript.</noscript>
<div id="panes">
<section id="list" tabindex="-1" aria-label="List"></section>
<section id="detail" aria-label="Detail"></section>
</div>
`;

export const appPage = (): string =>
  layout({
    title: SERVICE,
    assets: 'docs/',
    links: Object.entries(SECTIONS).map(([name, title]) => ({ href: `#/${name}`, title })),
    current: '#/',
    tools: TOOLS,
    body: BODY,
    styles: ['app.css'],
    scripts: ['app.js'],
  });

/** Writes `app.js`: the modules in one file, without types. */
export async function writeAppScript(folder: string): Promise<void> {
  await build({
    entryPoints: [join(browser, 'main.ts')],
    outfile: join(folder, 'app.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** Style sheets of the page, and of the frames that show mail. */
export const APP_STYLES = ['app.css', 'mail.css'].map((file) => join(browser, file));
