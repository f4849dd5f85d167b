import type { DaySection } from '#shared/domain/assistant/answering/assistant.ts';
import type { StoredSection } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** A section of briefings. A file for each; sections.ts lists them. */

/** Records of a section that a briefing shows, and up to which they are counted. */
const SHOWN = 10;
const COUNTED = 100;

/** `now` is a moment of the day, and the time zone of the caller that of the briefing. */
export type DayContext = CallerContext<SeesRecords & KnowsContacts>;

type Row = DaySection['rows'][number];

/** The first records of a section: `COUNTED` and one more at most. */
export interface Found<R> {
  records: R[];
  /** As they are shown, for those that are. */
  rowsOf(shown: R[]): Promise<Omit<Row, 'type'>[]>;
}

export interface SectionKind<R> {
  title: string;
  type: Row['type'];
  /** Above the names. */
  label: string;
  /** Of the cells besides the name. */
  columns: StoredSection['columns'];
  find(ctx: DayContext, limit: number): Promise<Found<R>>;
}

export async function readSection<R>(ctx: DayContext, kind: SectionKind<R>): Promise<DaySection> {
  const { records, rowsOf } = await kind.find(ctx, COUNTED + 1);
  const rows = await rowsOf(records.slice(0, SHOWN));
  return {
    title: kind.title,
    total: Math.min(records.length, COUNTED),
    more: records.length > COUNTED,
    rows: rows.map((row) => ({ type: kind.type, ...row })),
  };
}
