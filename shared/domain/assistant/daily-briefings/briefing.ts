import * as z from 'zod';
import {
  type AssistantReply,
  block,
  recordRef,
  type StoredBlock,
} from '#shared/domain/collaboration/replies/block.ts';
import { derived, given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { isoDate, timestamp, uuid } from '#shared/values.ts';

/** What a day brings one user, who alone reads it (docs/specification/views.md, "Daily briefings"). */

const exampleId = (last: number) => `0198c0de-0000-7000-8000-00000000000${last}`;

const ref = { type: 'task', id: exampleId(3), label: 'Call the ferries' };

const example = {
  id: exampleId(1),
  user_id: exampleId(2),
  date: '2026-11-20',
  status: 'complete',
  text: 'Call the ferries today.',
  blocks: [
    { type: 'text', text: 'Call the ferries today.' },
    {
      type: 'table',
      title: 'Tasks due',
      columns: [
        { key: 'name', label: 'Task' },
        { key: 'due', label: 'Due', kind: 'date' },
      ],
      rows: [{ cells: { name: 'Call the ferries', due: '2026-11-20' }, ref }],
    },
  ],
  refs: [ref],
  generated_at: '2026-11-20T05:00:02.000Z',
  created_at: '2026-11-20T05:00:00.000Z',
  updated_at: '2026-11-20T05:00:04.000Z',
};

const briefings = resource(
  'DailyBriefing',
  {
    id: given(uuid),
    user_id: given(uuid),
    date: given(isoDate),
    status: derived(z.enum(['pending', 'complete', 'failed'])),
    text: derived(z.string().nullable()),
    blocks: derived(z.array(block)),
    refs: derived(z.array(recordRef)),
    generated_at: derived(timestamp.nullable()),
    created_at: given(timestamp),
    updated_at: given(timestamp.nullable()),
  },
  { example },
);

/** A section as stored: rows name their records by `ref` alone, so each reading has the names of that moment. */
export type StoredSection = Extract<StoredBlock, { type: 'table' }>;

/** A briefing as stored, at a key of its user and date: there is one for a day, whatever happens. */
export type DailyBriefing = Item &
  StoredFields<typeof briefings.fields> & {
    account_id: string;
    /** Of the user when it was asked for: its day is a day there. */
    time_zone: string;
    /** Of the job that writes it. */
    reply_id: string;
    /** Its text; null in a complete one that no assistant wrote. */
    reply: AssistantReply;
    sections: StoredSection[];
    /** When the sections were read. */
    read_at: string | null;
  };

export const dailyBriefingSchema = briefings.response;

export type DailyBriefingRecord = z.input<typeof dailyBriefingSchema>;

export const presentFields = briefings.present;
