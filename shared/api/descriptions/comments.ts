import type { Descriptions } from './descriptions.ts';

const onlyOn = (record: string) => `The ${record} that it is on; null when it is on another record.`;

/** Comments, reactions and notifications (docs/specification/comments.md and notifications.md). */
export const comments: Descriptions = {
  Comment: {
    is: 'An internal note on one record, or a reply of the assistant to one. Everyone who sees the record sees it.',
    fields: {
      html_content:
        'HTML to show, sanitized when it was saved: no scripts, event handlers or iframes. Null on replies of the assistant.',
      json_content:
        'The same as the JSON of a rich-text document. Mentions are read only from here. Null on replies of the assistant.',
      text: 'Plain text of a reply of the assistant; the reason when it failed. Null on comments of the team.',
      parent_comment_id:
        'The comment that it replies to; null at the top level, and when that comment was deleted.',
      user_id: 'The author; on a reply of the assistant, the user who asked.',
      contact_id: onlyOn('contact'),
      organization_id: onlyOn('organization'),
      deal_id: onlyOn('deal'),
      thread_id: onlyOn('thread'),
      file_id: onlyOn('file'),
      calendar_event_id: onlyOn('calendar event'),
      space_id: onlyOn('space'),
      agent: '`assistant` on a reply of the assistant; null on comments of the team.',
      status: 'Comments of the team are `complete`; a reply is `pending` until the answer is ready.',
      blocks: 'Structured content of a reply, in order. Empty on comments of the team.',
      refs: 'Records that a reply refers to. Empty on comments of the team.',
      mentions: 'The users that it mentions.',
      reactions: 'What users have reacted with, oldest first.',
      updated_at: 'When the author last edited it; null until the first edit.',
    },
  },
  CommentMention: {
    is: 'A user who is mentioned in a comment.',
    fields: { user_id: 'Who is mentioned; null when that user is gone.' },
  },
  CommentReaction: {
    is: 'A reaction to a comment, in short.',
    fields: {
      text: 'Usually an emoji; any text that is not empty is accepted.',
      user_id: 'Who reacted; null when that user is gone.',
    },
  },
  CommentDraft: {
    is: 'A comment to write.',
    fields: {
      html_content: 'The comment as HTML. Unsafe markup is removed when it is saved.',
      json_content: 'The same as the JSON of a ProseMirror document. Mentions are read from here.',
      parent_comment_id: 'The comment to reply to, of the same record.',
    },
  },
  CommentEdit: {
    is: 'New content of a comment. Without `json_content`, the document and the mentions stay as they are.',
    fields: {
      html_content: 'The comment as HTML. Unsafe markup is removed when it is saved.',
      json_content: 'The same as the JSON of a ProseMirror document. Mentions are read from here again.',
    },
  },
  CommentListResponse: {
    is: 'The comments of a record, returned whole.',
    fields: { comments: 'Oldest first, replies and replies of the assistant included.' },
  },
  Reaction: {
    is: 'What a user reacted to a comment with.',
    fields: {
      text: 'Usually an emoji; any text that is not empty is accepted.',
      user_id: 'Who reacted; null when that user is gone.',
    },
  },
  ReactionDraft: { is: 'A reaction to add, or to change one into.' },
  Notification: {
    is: 'Tells a user that something happened that involves them. It is new, read and dismissed independently.',
    fields: {
      event: 'What happened.',
      payload:
        'The record it is about, as it was then: `id`, `record_type` and names. A comment or a share is nested under its name.',
      prompting_user_id: 'Whose action caused it; null when the service or an agent did.',
      new: 'True when it came after the user last opened the notifications.',
      read_at: 'When it was marked read; null while it is unread.',
      dismissed_at: 'When it was dismissed; null in lists, which leave out dismissed ones.',
    },
  },
  DismissNotificationsRequest: {
    is: 'What to dismiss. Of several, `global` wins over `slice`, and `slice` over `ids`.',
    fields: {
      ids: 'Notifications of the user, 100 at most; ids of others are ignored.',
      slice: 'Events, with commas between them: all notifications of these are dismissed.',
      global: 'true dismisses all, false none.',
    },
  },
  MarkAllNotificationsReadResponse: {
    is: 'The user’s notifications as they are now: all read, and none new.',
    fields: {
      new_count: 'How many are new: 0.',
      unread_count: 'How many are unread: 0.',
      unread_counts: 'How many are unread, by event. Events with none are left out, so it is empty.',
    },
  },
};
