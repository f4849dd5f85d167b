import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { kebab, operationFile } from '#shared/api/catalogue.ts';
import { familyDescriptions } from '#shared/api/families.ts';

/** Writes a new operation with its test: it works at once, and everything about it can then be changed. */

const USAGE = `npm run new <family> <operation>

Writes functions/<family>/<operation>.ts, its line in the family's index and its test, and brings the
documents up to date. For example: npm run new tags mergeTags

  <family>     a family of shared/api/families.ts, for example api_keys
  <operation>  a verb and a noun, for example mergeTags or merge-tags
  --help       shows this text`;

const root = join(import.meta.dirname, '..', '..');

class Refused extends Error {}

interface Names {
  family: string;
  folder: string;
  name: string;
  file: string;
  path: string;
  summary: string;
}

function namesOf(givenFamily: string, givenName: string): Names {
  const family = givenFamily.replaceAll('-', '_');
  if (!Object.hasOwn(familyDescriptions, family))
    throw new Refused(
      `There is no family "${givenFamily}". Describe a new one in shared/api/families.ts first.`,
    );
  const name = givenName.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (!/^[a-z]+([A-Z][a-z]+)+$/.test(name))
    throw new Refused(
      `"${givenName}" is no name for an operation: give a verb and a noun, such as mergeTags.`,
    );
  const words = kebab(name).split('-');
  return {
    family,
    folder: family.replaceAll('_', '-'),
    name,
    file: kebab(name),
    path: `/${family}/${words.join('_')}`,
    summary: `${words.join(' ')[0]?.toUpperCase()}${words.join(' ').slice(1)}`,
  };
}

const operationText = ({ name, path, summary }: Names) => `import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okAnswer } from '#shared/api/shapes.ts';

export const ${name} = route('${name}', {
  method: 'GET',
  path: '${path}',
  access: 'read',
  summary: '${summary}',
  returns: { 200: okAnswer },
  uses: [],
});

export const handler = handle(${name}, () => ok);
`;

const testText = ({
  name,
  path,
}: Names) => `import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET ${path}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: answers', async () => {
    const { status, body } = await workspace.ada.reader.${name}();
    expect([status, body]).toEqual([200, { ok: 'ok' }]);
  });
});
`;

function create(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, { flag: 'wx' });
  console.log(`${file} written`);
}

/** Adds a line to those that begin alike, in the order of the alphabet. */
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

function addToCatalogue({ family, folder }: Names): void {
  edit('functions/catalogue.ts', (lines) => {
    const imported = addLine(lines, `import * as ${family} from './${folder}/index.ts';`, /^import \* as /);
    return addLine(imported, `  ${family},`, /^ {2}\w+,$/);
  });
}

function newOperation(names: Names): void {
  const { folder, name, file } = names;
  const operation = operationFile(names);
  const test = `test/operations/${folder}/${file}.test.ts`;
  const index = `functions/${folder}/index.ts`;
  for (const each of [operation, test])
    if (existsSync(join(root, each))) throw new Refused(`${each} exists already.`);
  const isNewFamily = !existsSync(join(root, index));
  create(operation, operationText(names));
  create(test, testText(names));
  edit(index, (lines) => addLine(lines, `export * as ${name} from './${file}.ts';`, /^export /));
  if (isNewFamily) addToCatalogue(names);
  execFileSync(process.execPath, [join(root, 'infra/scripts/write-openapi.ts')], { stdio: 'inherit' });
  console.log(`\nGET ${names.path} is there: npm start, or npx vitest run ${test}`);
}

function main(): number {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean' } },
    });
    const [family, operation, ...more] = positionals;
    if (values.help) console.log(USAGE);
    else if (!family || !operation || more.length > 0) throw new Refused(USAGE);
    else newOperation(namesOf(family, operation));
    return 0;
  } catch (error) {
    const known = error instanceof Refused || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    if (!known) throw error;
    console.error((error as Error).message);
    return 1;
  }
}

process.exitCode = main();
