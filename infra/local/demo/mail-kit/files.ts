import type { Attachment, Person } from './draft.ts';

/** A one-page PDF with a heading and lines of text, written out object by object. */
export function pdf(filename: string, heading: string, lines: readonly string[]): Attachment {
  const shown = (text: string) => `(${text.replace(/[\\()]/g, '\\$&')}) Tj`;
  const page = [
    'BT',
    '/F1 20 Tf 60 770 Td',
    shown(heading),
    '/F1 11 Tf 0 -36 Td 16 TL',
    ...lines.map((line) => `${shown(line)} T*`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${Buffer.byteLength(page, 'latin1')} >>\nstream\n${page}\nendstream`,
  ];
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`;
  return { filename, type: 'application/pdf', content: Buffer.from(file, 'latin1') };
}

export function csv(filename: string, rows: readonly (readonly (string | number)[])[]): Attachment {
  const cell = (value: string | number) =>
    /[",]/.test(`${value}`) ? `"${`${value}`.replace(/"/g, '""')}"` : `${value}`;
  const content = rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
  return { filename, type: 'text/csv', content: Buffer.from(content) };
}

interface CalendarEvent {
  uid: string;
  summary: string;
  description: string;
  location: string;
  start: Date;
  minutes: number;
  made: Date;
  organizer: Person;
  attendees: readonly Person[];
}

/** An invitation as calendars exchange it. */
export function invitation(event: CalendarEvent): string {
  const stamp = (date: Date) => date.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const text = (value: string) => value.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
  const lines = [
    'BEGIN:VCALENDAR',
    'PRODID:-//Acme//Workshop calendar//EN',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${stamp(event.made)}`,
    `DTSTART:${stamp(event.start)}`,
    `DTEND:${stamp(new Date(event.start.getTime() + event.minutes * 60_000))}`,
    `SUMMARY:${text(event.summary)}`,
    `DESCRIPTION:${text(event.description)}`,
    `LOCATION:${text(event.location)}`,
    `ORGANIZER;CN=${event.organizer.name}:mailto:${event.organizer.address}`,
    ...event.attendees.map((each) => `ATTENDEE;RSVP=TRUE;CN=${each.name}:mailto:${each.address}`),
    'SEQUENCE:0',
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${line.replace(/.{70}(?=.)/g, '$&\r\n ')}\r\n`).join('');
}
