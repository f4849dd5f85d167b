import * as z from 'zod';
import { timestamp, uuid } from '../../values.ts';

/** Comment of the specification. */
const reactionRecord = z.strictObject({ id: uuid, text: z.string().nullable(), user_id: uuid.nullable() });

export const commentRecord = z
  .strictObject({
    id: uuid,
    html_content: z.string().nullable(),
    json_content: z.string().nullable(),
    text: z.string().nullable(),
    parent_comment_id: uuid.nullable(),
    user_id: uuid.nullable(),
    contact_id: uuid.nullable(),
    organization_id: uuid.nullable(),
    deal_id: uuid.nullable(),
    thread_id: uuid.nullable(),
    file_id: uuid.nullable(),
    calendar_event_id: uuid.nullable(),
    space_id: uuid.nullable(),
    agent: z.literal('assistant').nullable(),
    status: z.enum(['pending', 'complete', 'failed']),
    blocks: z.array(z.record(z.string(), z.unknown())),
    refs: z.array(z.strictObject({ type: z.string(), id: uuid, label: z.string().nullable() })),
    mentions: z.array(z.strictObject({ id: uuid, user_id: uuid.nullable() })),
    reactions: z.array(reactionRecord),
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Comment' });
