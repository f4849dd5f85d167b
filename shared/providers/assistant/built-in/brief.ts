import type { Day, DaySection } from '#shared/domain/assistant/answering/assistant.ts';
import { recordLink } from './say.ts';
import { dayIn } from './times.ts';

/** A day in a line for each section: how many there are, and the first of them. */

const NAMED = 3;

type Row = DaySection['rows'][number];

const STAGE = 'a stage that is gone';

function about({ type, cells }: Row): string {
  switch (type) {
    case 'calendar_event':
      return `from ${cells.starts} to ${cells.ends}`;
    case 'thread':
      return `since ${cells.last_message}`;
    case 'task':
      return cells.state === 'overdue' ? `overdue since ${cells.due}` : `due ${cells.due}`;
    case 'deal':
      return `from ${cells.from ?? STAGE} to ${cells.to ?? STAGE}`;
  }
}

const NAMELESS = {
  calendar_event: '(no name)',
  thread: '(no subject)',
  task: '(no name)',
  deal: '(no name)',
};

const said = (row: Row) =>
  `${recordLink(row.type, { id: row.id, name: row.name?.trim() || NAMELESS[row.type] })}, ${about(row)}`;

function sectionLine({ title, total, more, rows }: DaySection): string {
  if (total === 0) return `${title}: none.`;
  const named = rows.slice(0, NAMED).map(said).join('; ');
  const rest = total - Math.min(NAMED, rows.length);
  const others = rest > 0 ? `; and ${rest}${more ? ' or more' : ''} more` : '';
  return `${title}: ${named}${others}.`;
}

export const brief = ({ date, sections }: Day): string =>
  [`${dayIn('UTC', date)}.`, ...sections.map(sectionLine)].join('\n');
