import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refused } from './names.ts';

/** Writes into the project. Everything is checked before anything is written. */

export const root = join(import.meta.dirname, '..', '..', '..');

/** Texts by file, relative to the project. */
export type Texts = Record<string, string>;

export function create(texts: Texts): void {
  for (const file of Object.keys(texts))
    if (existsSync(join(root, file))) throw new Refused(`${file} exists already.`);
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { flag: 'wx' });
    console.log(`${file} written`);
  }
}

/** Adds a line to those with the same beginning, in alphabetical order. */
function addLine(lines: string[], line: string, begin: RegExp): string[] {
  const alike = lines.filter((each) => begin.test(each));
  const first = lines.findIndex((each) => begin.test(each));
  const rest = lines.filter((each) => !begin.test(each));
  return rest.toSpliced(Math.max(0, first), 0, ...[...alike, line].sort());
}

function edit(file: string, change: (lines: string[]) => string[]): void {
  const before = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split('\n') : [''];
  writeFileSync(join(root, file), change(before).join('\n'));
  console.log(`${file} changed`);
}

/** Adds operations to the index of their family, and a new family to the catalogue. */
export function addToCatalogue(
  { family, folder }: { family: string; folder: string },
  operations: Texts,
): void {
  const index = `functions/${folder}/index.ts`;
  const isNew = !existsSync(join(root, index));
  for (const [name, file] of Object.entries(operations))
    edit(index, (lines) => addLine(lines, `export * as ${name} from './${file}.ts';`, /^export /));
  if (!isNew) return;
  edit('functions/catalogue.ts', (lines) => {
    const imported = addLine(lines, `import * as ${family} from './${folder}/index.ts';`, /^import \* as /);
    return addLine(imported, `  ${family},`, /^ {2}\w+,$/);
  });
}

/** Adds text after a line, which must exist. */
export function addBehind(file: string, line: string, added: string): void {
  edit(file, (lines) => {
    const at = lines.indexOf(line);
    if (at < 0)
      throw new Refused(`${file} has no line "${line}" any more: change infra/scripts/new-family.ts.`);
    return lines.toSpliced(at + 1, 0, added);
  });
}

export function writeDocuments(): void {
  const biome = join(root, 'node_modules/.bin/biome');
  if (existsSync(biome))
    execFileSync(biome, ['check', '--write', 'functions', 'shared', 'test'], { cwd: root, stdio: 'ignore' });
  execFileSync(process.execPath, [join(root, 'infra/scripts/write-openapi.ts')], { stdio: 'inherit' });
}

/** Runs a generator: prints its refusals without a stack. */
export function run(usage: string, generate: () => void): void {
  try {
    if (process.argv.includes('--help')) console.log(usage);
    else generate();
  } catch (error) {
    const known = error instanceof Refused || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    if (!known) throw error;
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
