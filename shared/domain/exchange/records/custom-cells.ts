import type { CustomField, DefinedType } from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { readFields } from '#shared/domain/collaboration/custom-fields/store.ts';
import { foldName } from '#shared/folding.ts';
import type { ImportContext, SentRow } from './row.ts';
import { readDay, readNumber, type Style, severalWithCommas } from './written-values.ts';

/** Custom fields of rows, as the account defines them. What cannot be read stays as it is, to be refused. */

const BOOLEANS: Record<string, boolean> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

/** Each by its value, as exports write it, else by its name, which may be the value of another one. */
function optionsIn({ options }: CustomField, texts: string[]): string[] {
  const named = new Map(options.toReversed().map(({ value, name }) => [foldName(name), value]));
  const values = new Set(options.map(({ value }) => value));
  const all = texts.map((text) => (values.has(text) ? text : (named.get(foldName(text)) ?? text)));
  return [...new Set(all)];
}

function readCell(field: CustomField, text: string, style: Style): unknown {
  switch (field.type) {
    case 'number':
      return readNumber(text, style);
    case 'boolean': {
      const word = text.toLowerCase();
      return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : text;
    }
    case 'date':
      return readDay(text, style);
    case 'select':
      return optionsIn(field, [text])[0];
    case 'multi_select':
      return optionsIn(field, severalWithCommas(text));
    default:
      return text;
  }
}

/** The row with the values of defined fields in their types. */
export async function withTypes<Row extends SentRow>(
  { table, caller: { account } }: ImportContext,
  type: DefinedType,
  row: Row,
): Promise<Row> {
  const { style } = row;
  const sent = row.draft.custom_fields as Record<string, string> | undefined;
  if (!sent || !style || !account.has_custom_fields) return row;
  const fields = await readFields(table, account.id, type);
  const typed = Object.entries(sent).map(([name, text]) => {
    // Names of columns have no white space around them, which keys may have.
    const field = fields.find(({ key }) => key === name) ?? fields.find(({ key }) => key.trim() === name);
    return [field?.key ?? name, field ? readCell(field, text, style) : text] as const;
  });
  return { ...row, draft: { ...row.draft, custom_fields: Object.fromEntries(typed) } };
}
