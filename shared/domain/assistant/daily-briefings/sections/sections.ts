import type { DaySection } from '#shared/domain/assistant/answering/assistant.ts';
import type { StoredSection } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { deals } from './deals.ts';
import { meetings } from './meetings.ts';
import { type DayContext, readSection, type SectionKind } from './section.ts';
import { tasks } from './tasks.ts';
import { threads } from './threads.ts';

/** The sections of every briefing, in their order: each tells the same as the lists tell its user at that moment. */

const kinds = [meetings, threads, tasks, deals] as const;

export function readSections(ctx: DayContext): Promise<DaySection[]> {
  return Promise.all(
    // A stage may be deleted meanwhile.
    kinds.map((kind) => retryOnConflict(() => readSection(ctx, kind as SectionKind<unknown>))),
  );
}

function headingOf({ title, total, more, rows }: DaySection): string {
  if (total === rows.length) return title;
  return `${title} (${rows.length} of ${total}${more ? ' or more' : ''})`;
}

/** As stored: without the names, which each reading has anew. */
export function storedSections(sections: DaySection[]): StoredSection[] {
  return sections.map((section, i) => {
    const { label, columns } = kinds[i] as (typeof kinds)[number];
    return {
      type: 'table',
      title: headingOf(section),
      columns: [{ key: 'name', label }, ...columns],
      rows: section.rows.map(({ type, id, cells }) => ({ cells, ref: { type, id } })),
    };
  });
}
