import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { familyDescriptions } from '#shared/api/families.ts';
import { addToCatalogue, create, root, run, writeDocuments } from './new/files.ts';
import { familyNames, type OperationNames, operationNames, Refused } from './new/names.ts';
import { endpointOf, operationText } from './new/operation-texts.ts';
import { testText } from './new/test-texts.ts';

/** Writes a new working operation with its test, to be changed afterwards. */

const USAGE = `npm run new <family> <operation>

Writes functions/<family>/<operation>.ts, its line in the family's index and its test, and updates the
documents. The verb determines method, path and status; when the family has the verb's rules
(npm run new-family), the operation uses them. For example: npm run new deals createDeal

  <family>     a family of shared/api/families.ts, for example api_keys
  <operation>  a verb and a noun: create, list, retrieve, update, delete, or an action on one record,
               for example mergeTags or merge-tags
  --help       shows this text`;

/** The file with the rule of a verb, and the name of its function. */
function ruleOf({ verb, type, variable }: OperationNames): [string, string] {
  if (verb === 'list') return ['filters.ts', `${variable}Criteria`];
  if (verb === 'retrieve') return ['policy.ts', `require${type}`];
  return [`${verb}.ts`, `${verb}${type}`];
}

/** The family's folder in the domain, when it contains the verb's rule. */
function domainOf(names: OperationNames): string | undefined {
  const [file, name] = ruleOf(names);
  const contexts = readdirSync(join(root, 'shared/domain'));
  const context = contexts.find((each) => {
    const path = join(root, 'shared/domain', each, names.folder, file);
    const model = join(root, 'shared/domain', each, names.folder, `${names.file}.ts`);
    return (
      existsSync(path) &&
      existsSync(model) &&
      new RegExp(`(function|const) ${name}\\b`).test(readFileSync(path, 'utf8'))
    );
  });
  return context && `#shared/domain/${context}/${names.folder}`;
}

run(USAGE, () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [family, operation, ...more] = positionals;
  if (!family || !operation || more.length > 0) throw new Refused(USAGE);
  if (!Object.hasOwn(familyDescriptions, family.replaceAll('-', '_')))
    throw new Refused(`There is no family "${family}". Describe a new one in shared/api/families.ts first.`);
  const names = operationNames(familyNames(family), operation);
  const domain = domainOf(names);
  const test = `test/operations/${names.folder}/${names.operation}.test.ts`;
  create({
    [`functions/${names.folder}/${names.operation}.ts`]: operationText(names, domain),
    [test]: testText(names, domain),
  });
  addToCatalogue(names, { [names.name]: names.operation });
  writeDocuments();
  console.log(`\n${endpointOf(names)} is there: npm start, or npx vitest run ${test}`);
});
