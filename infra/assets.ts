import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { endpointsOf, methodsByResource, type Operation } from '#shared/api/catalogue.ts';
import { APP_STYLES, appPage, writeAppScript } from './app/page.ts';
import { docsPages } from './docs/pages.ts';

/** Creates the static files that `shared/assets.ts` reads, for the bundles and for the local run. */

const root = join(import.meta.dirname, '..');
const SWAGGER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];
const OWN_FILES = ['docs.css', 'init.js', 'page.js', 'resolve.js'];

/** `methods.json`: the methods of each path of the gateway, for 405 and the Allow header. */
export async function writeMethods(folder: string, operations: Operation[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'methods.json'), JSON.stringify(methodsByResource(endpointsOf(operations))));
}

/** `openapi.json` is generated (`npm run openapi`); a checkout without it has none to copy. */
async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function collectDocs(folder: string): Promise<void> {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const own = join(import.meta.dirname, 'docs', 'browser');
  for (const file of SWAGGER_FILES) await copyFile(join(swagger, file), join(folder, file));
  for (const file of OWN_FILES) await copyFile(join(own, file), join(folder, file));
  for (const [file, html] of Object.entries(await docsPages())) await writeFile(join(folder, file), html);
}

async function collectApp(folder: string): Promise<void> {
  for (const file of APP_STYLES) await copyFile(file, join(folder, basename(file)));
  await writeFile(join(folder, 'app.html'), appPage());
  await writeAppScript(folder);
}

/** Collects them in one folder: `methods.json`, the pages, scripts and styles of /docs and /app, the OpenAPI document. */
export async function collectAssets(folder: string, operations: Operation[]): Promise<void> {
  await writeMethods(folder, operations);
  await collectDocs(folder);
  await collectApp(folder);
  await copyIfThere(join(root, 'docs', 'openapi.json'), join(folder, 'openapi.json'));
}
