import * as z from 'zod';
import { writtenReminders } from '#shared/domain/collaboration/reminders/minutes.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { momentOrShortcut } from '#shared/shortcuts.ts';
import { clearableLine, nameText, text, uuid } from '#shared/values.ts';

/** The values that requests send of a task (docs/specification/records.md, "Tasks"). */

/**
 * Records that one task is linked to. One transaction contains the task, two items for each new link, one for each that
 * ends, two external ids, a notification, a waiting reminder, and the proposal that caused it: 100 items at most.
 */
export const MAX_LINKS = 30;

const link = uuid.nullish();
const links = z.array(uuid).max(MAX_LINKS).optional();

export const written = {
  name: nameText(255).meta({ example: 'Call the shipyard' }),
  description: text(20_000)
    .transform((html) => sanitizeHtml(html, 'comment').trim() || null)
    .nullish()
    .meta({ description: 'HTML, sanitized as in comments' }),
  due_at: momentOrShortcut.nullish(),
  reminders: writtenReminders.optional(),
  all_day: z.boolean(),
  priority: z.enum(['low', 'normal', 'high']).nullish(),
  assigned_user_id: uuid.nullish(),
  thread_id: link,
  contact_ids: links,
  organization_ids: links,
  deal_id: link,
  space_id: link,
  milestone_id: link,
  calendar_event_id: link,
  visibility: z.enum(['account', 'private', 'linked']).optional(),
  external_id: clearableLine(255).optional(),
};
