import type { OpenThreadRecord, ThreadRecord } from '#shared/domain/mail/threads/schema.ts';

/** Threads of responses in the shape of the model: lists without an order of their own are sorted. */

const sorted = (list: readonly string[]) => [...list].sort();

function common(thread: OpenThreadRecord | ThreadRecord) {
  return {
    id: thread.id,
    subject: thread.subject,
    snippet: thread.snippet,
    message_count: thread.message_count,
    has_attachments: thread.has_attachments,
    read: thread.read,
    flagged: thread.flagged,
    resolved: thread.resolved,
    snooze_until: thread.snooze_until,
    mailbox_ids: sorted(thread.mailbox_ids),
    inbox_sort_time: thread.inbox_sort_time,
    first_sent_at: thread.first_sent_at,
    last_sent_at: thread.last_sent_at,
    last_message: thread.last_message,
    participant_names: thread.participant_names,
  };
}

export const shown = (thread: ThreadRecord) => ({
  ...common(thread),
  participants: thread.participants,
  tags: sorted((thread.tags ?? []).map(({ id }) => id)),
});

export const shownOpen = (thread: OpenThreadRecord) => ({
  ...common(thread),
  category: thread.category,
  sender_email_addresses: sorted(thread.sender_email_addresses),
  participant_email_addresses: sorted(thread.participant_email_addresses),
});
