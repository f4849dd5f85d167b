import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { familyDescriptions } from '#shared/api/families.ts';
import { familyTexts } from './new/family-texts.ts';
import { addBehind, addToCatalogue, create, root, run, type Texts, writeDocuments } from './new/files.ts';
import { type FamilyNames, familyNames, operationNames, Refused, verbs } from './new/names.ts';
import { operationText } from './new/operation-texts.ts';
import { testText } from './new/test-texts.ts';

/** Writes a working family of records: its rules, five operations and their tests. */

const USAGE = `npm run new-family <context>/<family>

Writes shared/domain/<context>/<family> with the files of every family, the operations to create, list,
retrieve, update and delete, and their tests; registers the record type. For example:
npm run new-family crm/products

  <context>  a folder of shared/domain: crm, work, calendar ...
  <family>   the plural of a noun that shared/api/families.ts describes, for example products
  --help     shows this text`;

/** Registers the record type: docs/architecture.md, "Adding a record family". */
function register(names: FamilyNames, context: string): void {
  const { family, folder, one, type, variable } = names;
  addBehind('shared/table/keys.ts', 'export type RecordType =', `  | '${family}'`);
  addBehind('shared/composition/record-kinds.ts', '  ...linkable,', `  ${family}: namedKind('${family}'),`);
  addBehind(
    'shared/composition/record-lists.ts',
    "import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';",
    `import { ${variable}Index } from '#shared/domain/${context}/${folder}/lists.ts';`,
  );
  addBehind(
    'shared/composition/record-lists.ts',
    'const recordIndexes: RecordIndexes = {',
    `  ${family}: ${variable}Index,`,
  );
  // The sweeps over all operations need a record of each type.
  addBehind(
    'test/support/records.ts',
    '  const { proposal } = await givenUpdate(workspace, user);',
    `  const ${variable} = await api.create${type}({ body: { ${one}: { name: 'Something' } } });`,
  );
  addBehind(
    'test/support/records.ts',
    '    users: user.user.id,',
    `    ${family}: ${variable}.body.${one}.id,`,
  );
  for (const verb of ['update', 'create'])
    addBehind(
      'test/catalogue/names.test.ts',
      'const named: [operation: string, path: string[], optional?: boolean][] = [',
      `  ['${verb}${type}', ['${one}', 'name']],`,
    );
}

run(USAGE, () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [given, ...more] = positionals;
  const [, context, family] = /^([a-z]+)\/([a-z_-]+)$/.exec(given ?? '') ?? [];
  if (!context || !family || more.length > 0) throw new Refused(USAGE);
  const names = familyNames(family);
  if (!Object.hasOwn(familyDescriptions, names.family))
    throw new Refused(`There is no family "${family}". Describe it in shared/api/families.ts first.`);
  if (existsSync(join(root, 'functions', names.folder, 'index.ts')))
    throw new Refused(`functions/${names.folder} exists already.`);
  const domain = `#shared/domain/${context}/${names.folder}`;
  const operations = verbs.map((verb) =>
    operationNames(names, `${verb}${verb === 'list' ? names.types : names.type}`),
  );
  const texts: Texts = familyTexts(names, context);
  for (const each of operations) {
    texts[`functions/${names.folder}/${each.operation}.ts`] = operationText(each, domain);
    texts[`test/operations/${names.folder}/${each.operation}.test.ts`] = testText(each, domain);
  }
  create(texts);
  addToCatalogue(names, Object.fromEntries(operations.map((each) => [each.name, each.operation])));
  register(names, context);
  writeDocuments();
  console.log(`\n/${names.family} is there: npm start, or npx vitest run test/operations/${names.folder}`);
});
