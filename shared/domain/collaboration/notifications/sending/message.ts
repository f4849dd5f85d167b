import type { Label } from '#shared/domain/collaboration/records/kind.ts';
import type { NotificationEvent } from '../event.ts';
import type { Notification } from '../notification.ts';

/** What a notification says outside of the app: who did what, and the name of the record. */
export interface Message {
  notification_id: string;
  event: NotificationEvent;
  title: string;
  body: string;
  record_type: string;
  record_id: string;
}

/** Code points of each text: push services take 4 kB, with their own wrapping. */
const LONGEST = 120;

const clipped = (text: string) => {
  const characters = [...text.slice(0, 2 * LONGEST + 2)];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text;
};

/** With the name of who acted, and for the service or an agent without one. */
const titles: Record<NotificationEvent, readonly [by: string, alone: string]> = {
  task_assigned: ['assigned a task to you', 'A task is assigned to you'],
  task_shared: ['shared a task with you', 'A task is shared with you'],
  deal_assigned: ['assigned a deal to you', 'A deal is assigned to you'],
  deal_won: ['won a deal', 'A deal is won'],
  deal_stage_moved: ['moved a deal', 'A deal has moved'],
  deal_shared: ['shared a deal with you', 'A deal is shared with you'],
  comment_added: ['commented', 'A new comment'],
  comment_mentioned: ['mentioned you', 'You are mentioned in a comment'],
  interaction_share_requested: ['asks you for access', 'You are asked for access'],
  milestone_shared: ['shared a milestone with you', 'A milestone is shared with you'],
  file_shared: ['shared a file with you', 'A file is shared with you'],
  thread_shared: ['shared a thread with you', 'A thread is shared with you'],
  contact_shared: ['shared a contact with you', 'A contact is shared with you'],
  organization_shared: ['shared an organization with you', 'An organization is shared with you'],
  calendar_event_shared: ['shared an event with you', 'An event is shared with you'],
  space_shared: ['shared a space with you', 'A space is shared with you'],
  mailbox_shared: ['shared a mailbox with you', 'A mailbox is shared with you'],
  draft_failed: ['could not send a draft', 'A draft could not be sent'],
  mailbox_locked: ['locked a mailbox', 'A mailbox is locked'],
  mailbox_unlocked: ['unlocked a mailbox', 'A mailbox works again'],
  proposal_created: ['proposes a change', 'A change is proposed to you'],
  proposal_applied: ['applied a proposal', 'A proposal was applied'],
  task_reminder: ['reminds you of a task', 'A task is due'],
  calendar_event_reminder: ['reminds you of an event', 'An event begins soon'],
};

/** `who` acted; undefined for the service or an agent. */
export function messageOf(
  { id, event, payload }: Notification,
  { who, label }: { who: string | undefined; label: Label | undefined },
): Message {
  const { name, subject } = { ...payload, ...label } as { name?: string | null; subject?: string | null };
  const [by, alone] = titles[event];
  return {
    notification_id: id,
    event,
    title: who === undefined ? alone : `${clipped(who)} ${by}`,
    body: clipped(name ?? subject ?? ''),
    record_type: String(payload.record_type),
    record_id: String(payload.id),
  };
}
