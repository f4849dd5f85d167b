import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import { csvHeader, csvRows } from './csv.ts';
import type { RecordExport } from './export.ts';
import type { Shown } from './sources.ts';
import { vcardOf } from './vcard.ts';

/** Records as the text of a file. */

type Kind = Pick<RecordExport, 'record_type' | 'format'>;

/** Before the first record. */
export const headOf = ({ record_type, format }: Kind): string =>
  format === 'csv' ? csvHeader(record_type) : '';

export function linesOf({ record_type, format }: Kind, records: Shown[]): string {
  if (format === 'csv') return csvRows(record_type, records);
  if (format === 'vcard') return records.map((each) => vcardOf(each as unknown as ContactRecord)).join('');
  return records.map((each) => `${JSON.stringify(each)}\n`).join('');
}
