import type { Descriptions } from './descriptions.ts';

const title = 'A heading to show above it.';

/** Conversations, proposals, agents and the blocks of replies (docs/specification/assistant.md). */
export const assistant: Descriptions = {
  Block: { is: 'A part of a reply of the assistant. Skip a block whose `type` you do not know.' },
  TextBlock: {
    is: 'A passage of prose.',
    fields: { type: 'Always `text`.', text: 'The passage, as plain text.' },
  },
  ProposalBlock: {
    is: 'A proposal as it is now. When the key cannot see it, it has its id and the status `unavailable` only.',
    fields: {
      type: 'Always `proposal`.',
      proposal_id: 'The proposal shown.',
      action_type: 'What it would do.',
      status: 'How it stands; `unavailable` when the key cannot see it.',
      record_type: 'The type of the record that it would change, in the singular; null when it creates one.',
      record_id: 'The record that it would change; null when it creates one.',
      applied_record_type: 'The type of the record that was changed or created; null until then.',
      applied_record_id: 'The record that was changed or created; null until then.',
      resolution_reason: 'Why it was rejected, cut to 255 characters; null without a reason.',
      actions: 'What the key’s user may do now.',
      tag_id:
        'On `tag.apply` and `tag.remove` only: the tag; null while a proposed new tag does not exist yet.',
    },
  },
  ProposalDisplay: {
    is: 'What people read of a proposal.',
    fields: {
      title: 'What it would do, in a line.',
      summary: 'The same in more words; null when the title says it all.',
      changes: 'Each field that it would change.',
    },
  },
  ProposalDisplayChange: {
    is: 'A field before and after a proposal.',
    fields: {
      field: 'The name of the field in requests.',
      label: 'The name of the field for people.',
      before: 'The value as text before the change; null for none.',
      after: 'The value as text after the change; null for none.',
    },
  },
  CardsBlock: {
    is: 'Records of one type, to show as cards.',
    fields: {
      type: 'Always `cards`.',
      ids: 'The records, in order.',
      card_type: 'The type of all these records.',
      title,
    },
  },
  TableBlock: {
    is: 'Values in columns and rows.',
    fields: {
      type: 'Always `table`.',
      title,
      columns: 'Its columns, from left to right.',
      rows: 'Its rows, from top to bottom.',
    },
  },
  TableBlockColumn: {
    is: 'A column of a table.',
    fields: {
      key: 'The name of its cells in each row.',
      label: 'The heading for people.',
      kind: 'How to show its cells; as text when it is missing.',
    },
  },
  TableBlockRow: {
    is: 'A row of a table.',
    fields: {
      cells:
        'By the key of the column. Money and numbers are numbers, or text that could not be read as one; dates are text; null is empty.',
      ref: 'The record that the row describes.',
    },
  },
  RecordRef: {
    is: 'A record that is referred to.',
    fields: {
      type: 'The type of the record, in the singular, such as `calendar_event`.',
      label: 'The record’s name as the key’s user sees it; null when that user cannot see it.',
    },
  },
  Conversation: {
    is: 'A private chat of one user with the assistant.',
    fields: {
      user_id: 'The only user who sees it.',
      title: 'What it is called; null until the first question gives it a title.',
      record_type: 'The type of the record that it is about, in the singular; null when it is about none.',
      record_id: 'The record that it is about; null when it is about none.',
      message_count: 'Questions and replies together.',
      last_message_at: 'When the last question was asked; null before the first.',
      updated_at: 'When it was last renamed; null until then.',
    },
  },
  ConversationDraft: {
    is: 'A conversation to begin, about a record if one is named.',
    fields: {
      title: 'Without one, it is called after its first question.',
      record_type: 'Together with `record_id`: the record that it is about.',
      record_id: 'Together with `record_type`: the record that it is about.',
    },
  },
  ConversationChanges: { is: 'A new title of a conversation; `null` clears it.' },
  ConversationMessage: {
    is: 'A question of a conversation, or a reply to one.',
    fields: {
      conversation_id: 'The conversation that it belongs to.',
      user_id: 'The user of the conversation, on questions and on replies.',
      role: 'Who wrote it.',
      text: 'What was asked or answered; null while a reply is pending, the reason when it failed.',
      status: 'Questions are `complete`; a reply is `pending` until the answer is ready.',
      blocks: 'Structured content of a reply, in order. Empty on questions.',
      refs: 'Records that a reply refers to. Empty on questions.',
      created_at: 'When it was asked, or when the reply began.',
    },
  },
  ConversationMessageDraft: { is: 'A question to ask.', fields: { text: 'The question, as plain text.' } },
  CreateMessageResponse: {
    is: 'The question, and the reply that is being written.',
    fields: {
      message: 'The question as it was stored.',
      reply: 'The pending reply: list the messages until it is `complete` or `failed`.',
    },
  },
  ListMessagesResponse: {
    is: 'Some messages of a conversation.',
    fields: {
      messages: 'Oldest first.',
      has_more_before: 'Whether there are older messages.',
      oldest_timestamp: 'Send it as `before` for the messages before these; null when there are none.',
    },
  },
  Proposal: {
    is: 'A change that the assistant or an agent suggests to a user.',
    fields: {
      user_id: 'The user whom it is for.',
      action_type: 'What it would do.',
      status: 'How it stands. Only a `pending` one can be accepted or rejected, within 30 days.',
      record_type: 'The type of the record that it would change, in the singular; null when it creates one.',
      record_id: 'The record that it would change; null when it creates one.',
      applied_record_type: 'The type of the record that was changed or created; null until then.',
      applied_record_id: 'The record that was changed or created; null until then.',
      params: 'The change itself: its names depend on `action_type`.',
      base_updated_at: 'The `updated_at` of the record when it was proposed: a later change makes it stale.',
      rationale: 'Why it is suggested, in a sentence; null without a reason.',
      resolution_reason: 'Why it was rejected; null without a reason.',
      source: 'The record that gave rise to it; null when none did.',
      resolved_by_user_id: 'Who answered it; null until then.',
      resolved_at: 'When it was answered; null until then.',
      expires_at: 'Until when it can be answered.',
    },
  },
  AcceptProposalRequest: {
    is: 'How to accept the proposal.',
    fields: { changes: 'Values to use instead of those proposed, by the names of `params`.' },
  },
  RejectProposalRequest: { is: 'Why the proposal is rejected.' },
  ResolveProposalsRequest: {
    is: 'Which proposals to answer, and how.',
    fields: { ids: 'The proposals, 100 at most.', action: 'The answer to all of them.' },
  },
  ResolveProposalsResponse: {
    is: 'What became of each proposal.',
    fields: { results: 'One for each id that was sent, in the same order.' },
  },
  ResolveProposalsResponseResult: {
    is: 'What became of one proposal.',
    fields: { status: 'How it stands now; `unavailable` when the key does not see it.' },
  },
  ResolveProposalsResponseResultError: {
    is: 'Why it could not be answered; null when it was.',
    fields: {
      code: 'A stable identifier: branch on it.',
      message: 'English text for a person; it may be reworded.',
      fields: 'The fields the error is about, each with its first problem.',
    },
  },
  ResolveProposalsResponseResultErrorField: {
    is: 'The first problem of one field.',
    fields: {
      code: 'The kind of problem: branch on it.',
      message: 'English text for a person; it may be reworded.',
    },
  },
  AgentConfiguration: {
    is: 'How an automatic agent of the account works.',
    fields: {
      agent_slug: 'Which agent it is.',
      name: 'What people call the agent.',
      description: 'What the agent does.',
      enabled: 'Whether it works at all.',
      mode: 'Whether it proposes its changes or makes them.',
      instructions: 'What admins tell it, in their own words; null without any.',
      settings: 'Values under names of your own: 50 at most, 16 KB in all.',
      updated_by_user_id: 'Who last configured it; null while it has the defaults.',
      updated_at: 'When it was last configured; null while it has the defaults.',
    },
  },
  AgentConfigurationChanges: {
    is: 'Changes of a configuration: fields that are not sent stay; `settings` replaces all settings.',
  },
};
