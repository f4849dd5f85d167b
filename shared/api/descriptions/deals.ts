import type { Descriptions } from './descriptions.ts';

const kind = 'Whether its deals are open, won or lost.';
const role = 'The part that the person plays in the deal; null without one.';
const name = 'The name to show.';

/** Deals (docs/specification/records.md). */
export const deals: Descriptions = {
  Deal: {
    is: 'Business that may be won.',
    fields: {
      user_id: 'Who created it; null when that user is gone.',
      name: 'What it is called.',
      pipeline_id: 'The pipeline that it is in.',
      stage_id: 'The stage that it is in.',
      stage: 'That stage.',
      status: 'The kind of its stage.',
      amount:
        'What it is worth, in units of the currency, with 4 decimals and 15 significant digits at most; null when unknown.',
      currency: 'The currency of the amount; null when unknown.',
      probability: 'How likely it is to be won, in percent: its own, else that of its stage.',
      expected_close_on: 'When it should be decided; null when unknown.',
      closed_at: 'When it was won or lost; null while it is open.',
      stage_moved_at: 'When it was last moved to another stage; null before.',
      lost_reason: 'Why it was lost; null when that is not said.',
      description: 'Notes about the deal; null without any.',
      position: 'Where it is in its stage, among the other deals: any number, the lowest first.',
      assigned_user_id: 'Who works on it; null for nobody.',
      organization_id: 'The organization that would buy; null without one that the user sees.',
      organization: 'That organization.',
      contact_ids: 'Its people whom the user sees.',
      contacts: 'The same with their names and roles.',
      visibility:
        '`account`: every user sees the deal. `private`: its user, its assignee and whom it is shared with.',
      external_id: 'The id that another system has for the deal, unique in the account; null without one.',
      custom_fields: 'Values under names of your own: 50 at most, 16 KB in all.',
      tags: 'The tags that it carries.',
      shares: 'Whom the deal is shared with.',
      comments: 'The comments on it, oldest first; null in lists.',
      tasks: 'Tasks about the deal that the user sees; null in lists.',
    },
  },
  DealDraft: { is: 'A deal to create.' },
  DealDraftContact: { is: 'A person of the deal.' },
  DealChanges: { is: 'Changes of a deal: fields that are not sent stay, and null clears.' },
  DealChangesContact: { is: 'A person of the deal.' },
  DealContact: { is: 'A person of a deal.', fields: { name, role } },
  DealOrganization: { is: 'The organization of a deal.', fields: { name } },
  DealStage: {
    is: 'A stage in short.',
    fields: { name: 'What it is called.', kind, position: 'Its place in the pipeline, from 0.' },
  },
  StageMoveListResponse: {
    is: 'The stage history of a deal.',
    fields: { stage_history: 'Its moves, newest first.' },
  },
  HistoryEntry: {
    is: 'A change of a record.',
    fields: {
      user_id:
        'Who changed it; null for an agent, and for the service, as when a record that it names is deleted.',
      changed_at: 'When it was changed: the `updated_at` that the record had then.',
      changes: 'The fields that were changed, without what the user does not see.',
    },
  },
  FieldChange: {
    is: 'What a change made of one field.',
    fields: {
      field: 'The name of the field.',
      before: 'The value before. Of a list the entries that went, of an object the keys with other values.',
      after: 'The value after. Of a list the entries that came, of an object the keys with other values.',
      cut: 'Whether a part was too long to be kept.',
    },
  },
  StageMove: {
    is: 'That a deal came into a stage.',
    fields: {
      from_stage: 'The stage that it left; null for the first one, and for a stage that is gone.',
      to_stage: 'The stage that it came into; null for a stage that is gone.',
      user_id: 'Who moved it; null for an agent, and for a stage that was replaced.',
      moved_at: 'When it was moved.',
      seconds_in_stage: 'How long it was in the stage, until the next move or until now.',
    },
  },
};
