import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { endpointsOf, methodsByResource, type Operation } from '#shared/api/catalogue.ts';

/** Creates the static files that `shared/assets.ts` reads, for the bundles and for the local run. */

const root = join(import.meta.dirname, '..');
const PAGE_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];

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

/** Collects them in one folder: `methods.json`, the documentation page's script and style, the OpenAPI document. */
export async function collectAssets(folder: string, operations: Operation[]): Promise<void> {
  await writeMethods(folder, operations);
  const page = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const file of PAGE_FILES) await copyFile(join(page, file), join(folder, file));
  await copyIfThere(join(root, 'docs', 'openapi.json'), join(folder, 'openapi.json'));
}
