import { sampleOf } from '#shared/domain/exchange/formats/csv-layout.ts';
import { encodingOf } from '#shared/domain/exchange/formats/encoding.ts';
import { type ByteSource, beginningOf } from '#shared/domain/exchange/formats/source.ts';
import { type ImportableType, isTarget, takesSeveral } from '#shared/domain/exchange/records/fields.ts';
import { guessTargets } from '#shared/domain/exchange/records/guess.ts';
import { dateOrderOf } from '#shared/domain/exchange/records/written-values.ts';
import { ApiError } from '#shared/errors.ts';
import { Fields } from '#shared/fields.ts';
import type { ImportDraft, RecordImport } from './import.ts';

/** What a file has, and what its columns are. */

type Columns = RecordImport['columns'];

export type Layout = Pick<
  RecordImport,
  'format' | 'encoding' | 'delimiter' | 'date_order' | 'columns' | 'begin'
>;

/** More have no sense. All columns, with the longest names, fields and examples, fit into the import's item of 400 kB. */
const MAX_COLUMNS = 200;
const NAME = 100;
const EXAMPLES = 3;
/** Rows that examples are of. */
const EXAMPLE_ROWS = 20;
const EXAMPLE = 40;

/** Bytes in which a file of vCards, or of calendars, begins its first one. */
const BEGINNING = 64 * 1024;

const cut = (text: string, length: number) => [...text.slice(0, length * 2)].slice(0, length).join('');

const line = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Unnamed columns get the number as a name, and doubled names one behind them: each has a name of its own. */
function namesOf(header: string[], length: number): string[] {
  const names = header.map((cell, i) => cut(line(cell), length) || `Column ${i + 1}`);
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let times = 2; seen.has(own) || (own !== name && taken.has(own)); times++)
      own = `${name} (${times})`;
    seen.add(own);
    return own;
  });
}

function examplesIn(rows: string[][], i: number): string[] {
  const values = rows.map((row) => cut(line(row[i] ?? ''), EXAMPLE)).filter((value) => value !== '');
  return [...new Set(values)].slice(0, EXAMPLES);
}

/** Bytes of a picture, and a quotation mark that is not closed, make other cells. */
const isHeader = (header: string[]) =>
  header.some((cell) => line(cell) !== '') &&
  !header.some((cell) => cell.includes('\0') || (cell.includes('"') && /[,;\t|]/.test(cell)));

async function csvLayout(source: ByteSource, type: ImportableType): Promise<Layout> {
  const sample = await sampleOf(source);
  if (!sample || !isHeader(sample.header))
    throw new ApiError('file_unreadable', {
      message: 'The file has no first line that names its columns, or a quotation mark in it is not closed.',
    });
  if (sample.header.length > MAX_COLUMNS)
    throw new ApiError('file_unreadable', { message: `The file has more than ${MAX_COLUMNS} columns.` });
  const names = namesOf(sample.header, NAME);
  // A key of custom fields may be longer than what is shown of it.
  const fields = guessTargets(type, namesOf(sample.header, Number.POSITIVE_INFINITY));
  const columns = names.map((name, i) => ({
    name,
    field: fields[i] ?? null,
    examples: examplesIn(sample.rows.slice(0, EXAMPLE_ROWS), i),
  }));
  const { encoding, delimiter, begin, rows } = sample;
  return { format: 'csv', encoding, delimiter, date_order: dateOrderOf(rows.flat()), columns, begin };
}

/** Undefined for a file without a vCard, or a calendar, in its beginning. */
async function textLayout(source: ByteSource): Promise<Layout | undefined> {
  const bytes = await beginningOf(source, BEGINNING);
  const { encoding, mark } = encodingOf(bytes);
  if (encoding.startsWith('utf-16')) return undefined;
  const [, name] = /^BEGIN:(VCARD|VCALENDAR)\s*$/im.exec(bytes.toString('latin1').slice(mark)) ?? [];
  if (name === undefined) return undefined;
  const format = name.toUpperCase() === 'VCARD' ? 'vcard' : 'ics';
  return { format, encoding, delimiter: null, date_order: null, columns: [], begin: mark };
}

const unreadable = (message: string) => new ApiError('file_unreadable', { message });

const looksLikeCards = (file_name: string) => /\.(vcf|vcard)$/i.test(file_name);

/** The format by the content, unless one is named. Calendars are events, and nothing else is. 422 `file_unreadable`. */
export async function layoutOf(
  source: ByteSource,
  file_name: string,
  { record_type, format }: Pick<ImportDraft, 'record_type' | 'format'>,
): Promise<Layout> {
  const found = format === 'csv' ? undefined : await textLayout(source);
  const named = format ?? (looksLikeCards(file_name) ? 'vcard' : undefined);
  if (record_type === 'calendar_events' || named === 'ics')
    if (found?.format !== 'ics') throw unreadable('The file does not begin with a calendar (.ics).');
  if (named === 'vcard' && found?.format !== 'vcard')
    throw unreadable('The file does not begin with a vCard.');
  if (found?.format === 'vcard' && record_type !== 'contacts') throw unreadable('vCards are contacts.');
  if (found?.format === 'ics' && record_type !== 'calendar_events')
    throw unreadable('Calendars (.ics) are calendar_events.');
  return found ?? (await csvLayout(source, record_type));
}

function checkField(type: ImportableType, name: string, field: string | null, fields: Fields): void {
  if (field !== null && !isTarget(type, field))
    fields.add(`mapping.${name}`, 'invalid', `must be a field of ${type}, with a label where it takes one`);
}

/** The columns with what a request says of them; all others stay. 400 for columns and fields that there are not. */
export function mapped(
  type: ImportableType,
  columns: Columns,
  mapping: Record<string, string | null> | undefined,
): Columns {
  const fields = new Fields();
  const sent = mapping ?? {};
  const names = new Set(columns.map(({ name }) => name));
  for (const name of Object.keys(sent))
    if (names.has(name)) checkField(type, name, sent[name] ?? null, fields);
    else fields.add(`mapping.${name}`, 'invalid', 'is no column of the file');
  const after = columns.map((column) =>
    Object.hasOwn(sent, column.name) ? { ...column, field: sent[column.name] ?? null } : column,
  );
  after.forEach(({ name, field }, i) => {
    const first = after.findIndex((other) => other.field === field);
    if (field !== null && first < i && !takesSeveral(type, field))
      fields.add(`mapping.${name}`, 'invalid', `is ${field}, as another column is`);
  });
  fields.throwIfAny();
  return after;
}
