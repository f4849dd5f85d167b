import { readLabels } from '#shared/domain/assistant/answering/labels.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { type Block, type Labels, presentRef, refKey } from '#shared/domain/collaboration/replies/block.ts';
import { presentReply } from '#shared/domain/collaboration/replies/present.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  type DailyBriefing,
  type DailyBriefingRecord,
  presentFields,
  type StoredSection,
} from './briefing.ts';

/** Briefings as their user sees the records now: a hidden or deleted one has no row and no name. */

type Table = Extract<Block, { type: 'table' }>;

const isPending = ({ reply }: DailyBriefing) => reply.status === 'pending';

const sectionsOf = (briefing: DailyBriefing) => (isPending(briefing) ? [] : briefing.sections);

const refsOf = (briefing: DailyBriefing) =>
  sectionsOf(briefing).flatMap(({ rows }) => rows.flatMap(({ ref }) => ref ?? []));

function presentSection(section: StoredSection, labels: Labels): Table {
  const rows = section.rows.flatMap(({ cells, ref }) => {
    const name = ref && labels.get(refKey(ref));
    return ref && name !== undefined ? [{ cells: { name, ...cells }, ref: presentRef(ref, labels) }] : [];
  });
  return { ...section, rows };
}

function presentOne(briefing: DailyBriefing, labels: Labels): DailyBriefingRecord {
  const around = { reader_id: null, labels, proposals: new Map() };
  // As to anybody but who asked: the text has the names of now, too.
  const reply = presentReply(briefing.reply, briefing.user_id, around);
  const tables = sectionsOf(briefing).map((section) => presentSection(section, labels));
  return presentFields(briefing, {
    status: reply.status,
    text: reply.text,
    blocks: [...reply.blocks, ...tables],
    refs: tables.flatMap(({ rows }) => rows.flatMap(({ ref }) => ref ?? [])),
    generated_at: isPending(briefing) ? null : briefing.read_at,
  });
}

export async function presentBriefings(
  ctx: CallerContext<SeesRecords>,
  briefings: DailyBriefing[],
): Promise<DailyBriefingRecord[]> {
  const labels = await readLabels(ctx, briefings.flatMap(refsOf));
  return briefings.map((briefing) => presentOne(briefing, labels));
}

export async function presentBriefing(
  ctx: CallerContext<SeesRecords>,
  briefing: DailyBriefing,
): Promise<DailyBriefingRecord> {
  const [record] = await presentBriefings(ctx, [briefing]);
  return record as DailyBriefingRecord;
}
