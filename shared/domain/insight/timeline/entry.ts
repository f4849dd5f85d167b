import * as z from 'zod';
import { activityTypes } from '#shared/domain/collaboration/activity/activity.ts';
import type { Label, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { recordRef } from '#shared/domain/collaboration/replies/block.ts';
import { uuid } from '#shared/values.ts';

/** docs/specification/views.md, "Timeline". */

export const entryTypes = ['thread', 'calendar_event', ...activityTypes, 'hidden_interaction'] as const;

export type EntryType = (typeof entryTypes)[number];

/** Exclusive in `before`: the last six digits tell entries of one millisecond apart. */
const exactTimestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}Z$/)
  .meta({ id: 'ExactTimestamp', format: 'date-time', example: '2026-11-20T09:30:00.000482910Z' });

const entry = z
  .strictObject({
    id: z.string().meta({ example: '0198c0de-0000-7000-8000-000000000001' }),
    type: z.enum(entryTypes),
    occurred_at: exactTimestamp,
    user_id: uuid.nullable(),
    agent: z.string().nullable().meta({ example: null }),
    ref: recordRef,
    detail: z.record(z.string(), z.unknown()).meta({ example: {} }),
    count: z.int().meta({ example: 1 }),
  })
  .meta({ id: 'TimelineEntry' });

export const timelineSchema = z
  .strictObject({
    entries: z.array(entry),
    oldest_timestamp: exactTimestamp.nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'Timeline' });

export type TimelineRecord = z.output<typeof timelineSchema>;

/** Without its moment, which its place in the timeline says. */
export type Shown = Omit<z.output<typeof entry>, 'occurred_at'>;

const textOf = (label: Label): string | null => ('name' in label ? label.name : label.subject);

export const refOf = ({ type, id, label }: Pick<VisibleRecord, 'type' | 'id' | 'label'>) => ({
  type: singular(type),
  id,
  label: textOf(label),
});
