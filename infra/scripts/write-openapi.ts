import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApiDocument } from '#shared/api/openapi.ts';
import { operations } from '../../functions/catalogue.ts';
import { errorPage } from '../docs/error-page.ts';

/** Writes the files generated from the catalogue: docs/openapi.json and docs/errors.md. */

const USAGE = `npm run openapi [-- --check]

Writes docs/openapi.json and docs/errors.md from the catalogue of operations.
  --check  writes nothing; fails when one of them is not up to date
  --help   shows this text`;

const folder = join(import.meta.dirname, '..', '..', 'docs');

const generated = () => ({
  'openapi.json': `${JSON.stringify(openApiDocument(operations), null, 2)}\n`,
  'errors.md': errorPage(),
});

async function isCurrent(file: string, text: string): Promise<boolean> {
  const written = await readFile(join(folder, file), 'utf8').catch(() => undefined);
  return written === text;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  let stale = 0;
  for (const [file, text] of Object.entries(generated())) {
    if (await isCurrent(file, text)) continue;
    stale++;
    if (!values.check) await writeFile(join(folder, file), text);
    console.log(
      values.check ? `docs/${file} is not up to date: run npm run openapi` : `docs/${file} written`,
    );
  }
  return values.check && stale > 0 ? 1 : 0;
}

/** One line for an option that does not exist. */
function explain(error: unknown): number {
  if (!(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  return 1;
}

process.exitCode = await main().catch(explain);
