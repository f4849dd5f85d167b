import { ADDRESS, DATE } from './quote-attribution.ts';
import { isBlank, type QuoteLine } from './quote-line.ts';
import { type HeaderKind, headerKind } from './quote-words.ts';

/** Header blocks: fields of an earlier message, as Outlook and other programs write them above it. */

export const isRule = (text: string) => /^\s*[_-]{5,}\s*$/.test(text);

const BLOCK_LINES = 8;
/** Characters of a line within which fields begin. */
const MAX_FIELDS = 400;

const NEXT_FIELD = /\s+(?=[*_]{0,2}[^\s:：]{1,12}[*_]{0,2}\s?[:：])/u;

/** The header fields of a line, by kind; programs that lose line breaks leave several on one line. */
function fieldsOf(text: string): Map<HeaderKind, string> {
  const fields = new Map<HeaderKind, string>();
  const first = headerKind(text);
  if (!first) return fields;
  const colon = text.search(/[:：]/);
  const [value = '', ...others] = text.slice(colon + 1, colon + MAX_FIELDS).split(NEXT_FIELD);
  fields.set(first, value);
  for (const other of others) {
    const kind = headerKind(other);
    if (kind && !fields.has(kind)) fields.set(kind, other);
  }
  return fields;
}

/**
 * True where a block begins, after at most two blank lines: `From:` and at least two of date, recipients and subject;
 * or three or more fields in another order; or two fields alone, when they contain addresses and dates as a form or an
 * invitation does not.
 */
export function isHeaderBlock(lines: readonly QuoteLine[], at: number): boolean {
  let first = at;
  while (first < at + 2 && isBlank(lines[first])) first++;
  const fields = fieldsOf(lines[first]?.text ?? '');
  const [opening] = fields.keys();
  if (!opening) return false;
  for (let i = first + 1; i < lines.length && i < first + BLOCK_LINES; i++) {
    if (lines[i]!.quoted) continue;
    for (const [kind, value] of fieldsOf(lines[i]!.text)) if (!fields.has(kind)) fields.set(kind, value);
  }
  if (opening === 'from' && fields.size >= 3) return true;
  const addressed = [fields.get('from'), fields.get('to')].some((value) => value && ADDRESS.test(value));
  if (!addressed) return false;
  const known = opening === 'date' || fields.has('from');
  return (known && fields.size >= 3) || isPair(lines, first);
}

/** The line after the last field of the block that begins at `at`, or after a rule or blank lines there. */
export function endOfHeaderBlock(lines: readonly QuoteLine[], at: number): number {
  let first = at;
  while (first < lines.length && (isBlank(lines[first]) || isRule(lines[first]!.text))) first++;
  let end = first + 1;
  for (let i = end; i < first + BLOCK_LINES && i < lines.length && !isBlank(lines[i]); i++)
    if (headerKind(lines[i]!.text)) end = i + 1;
  return end;
}

/** Two fields of an earlier message, each with a value of its kind, without other text above or below. */
function isPair(lines: readonly QuoteLine[], first: number): boolean {
  const fields = new Map<HeaderKind, string>();
  let end = first;
  for (; end < lines.length && !lines[end]!.quoted && fields.size < 2; end++) {
    const found = fieldsOf(lines[end]!.text);
    if (found.size === 0) break;
    for (const [kind, value] of found) fields.set(kind, value);
  }
  return fields.size === 2 && [...fields].every(isPlausible) && standsAlone(lines, first, end);
}

function isPlausible([kind, value]: [HeaderKind, string]): boolean {
  return kind === 'date' ? DATE.test(value) : kind !== 'subject' && ADDRESS.test(value);
}

function standsAlone(lines: readonly QuoteLine[], first: number, end: number): boolean {
  if (lines[first]!.ruled) return true;
  const above = lines[first - 1];
  const below = lines[end];
  return (!above || isBlank(above) || isRule(above.text)) && (!below || isBlank(below) || below.quoted);
}
