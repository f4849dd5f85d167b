import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import { CALENDAR_END, calendarHead } from '#shared/domain/exchange/calendars/calendar-file.ts';
import { csvHeader, csvRows, type TableType } from './csv.ts';
import type { RecordExport } from './export.ts';
import type { Shown } from './sources.ts';
import { vcardOf } from './vcard.ts';

/** Records as the text of a file. */

type Kind = Pick<RecordExport, 'record_type' | 'format' | 'custom_fields'>;

/** Before the first record. */
export function headOf({ record_type, format, custom_fields = [] }: Kind): string {
  if (format === 'csv') return csvHeader(record_type as TableType, custom_fields);
  return format === 'ics' ? calendarHead() : '';
}

/** After the last record. */
export const tailOf = ({ format }: Kind): string => (format === 'ics' ? CALENDAR_END : '');

export function linesOf({ record_type, format, custom_fields = [] }: Kind, records: Shown[]): string {
  if (format === 'csv') return csvRows(record_type as TableType, custom_fields, records);
  if (format === 'vcard') return records.map((each) => vcardOf(each as unknown as ContactRecord)).join('');
  if (format === 'ics') return records.map(({ text }) => text).join('');
  return records.map((each) => `${JSON.stringify(each)}\n`).join('');
}
