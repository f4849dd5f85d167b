import type { Descriptions } from './descriptions.ts';

const label = 'What kind it is, in the user’s own words, such as `work`; null without one.';
const primary = 'Whether it is the one to use first; only one entry can be.';

const addressFields = {
  street: 'Street and house number; null when unknown.',
  city: 'City or town; null when unknown.',
  region: 'State, province or county; null when unknown.',
  postal_code: 'Postal or ZIP code; null when unknown.',
  country: 'Country, as name or code; null when unknown.',
  label,
};

const employmentFields = {
  title: 'The position there; null when unknown.',
  organization: 'The employer; null when none is named, or the user does not see it.',
  current: 'Whether the person still works there.',
  started_on: 'The first day; null when unknown.',
  ended_on: 'The last day; null when unknown or not over.',
};

const counted = (records: string) =>
  `How many ${records} of the whole account carry the tag. Filled when tags are listed or one is retrieved, otherwise null.`;

/** Contacts, organizations, pipelines, tags and taggings (docs/specification/records.md). */
export const records: Descriptions = {
  Contact: {
    is: 'A person that the team knows.',
    fields: {
      user_id: 'Who created it, and who alone sees it while it is private; null when that user is gone.',
      name: 'The name to show. Without one, it is made of first and last name or of an email address.',
      first_name: 'The given name; null when unknown.',
      last_name: 'The family name; null when unknown.',
      nickname: 'What friends call the person; null without one.',
      headline: 'Who the person is, in a line; null without one.',
      description: 'Notes about the person; null without any.',
      avatar_url: 'A picture of the person, `http` or `https`; null without one.',
      email_addresses: 'Addresses by which mail is matched to the person, 90 at most.',
      phone_numbers: 'Numbers to call, 100 at most.',
      links: 'Pages on the web, 100 at most.',
      addresses: 'Postal addresses, 100 at most.',
      employments: 'Where the person works and worked, 100 at most.',
      birthday: 'The day of birth; null when unknown.',
      time_zone: 'IANA time zone of the person; null when unknown.',
      visibility: '`account`: every user sees the contact. `private`: only its user does.',
      external_id: 'The id that another system has for the person, unique in the account; null without one.',
      custom_fields: 'Values under names of your own: 50 at most, 16 KB in all.',
      pinned: 'Whether the key’s user has pinned the contact.',
      source: 'How the contact came into the account.',
      thread_count:
        'Threads with the person that the user sees, counted up to 1,000; null where they are not counted.',
      last_interaction_at:
        'When the newest message from or to the person was sent, or the last meeting that is over began; null without one, and in lists.',
      next_interaction_at: 'When the next meeting is; null when none is planned, and in lists.',
      merged_ids: 'The ids of contacts that were merged into it; they are 404 now.',
      enrichment:
        'What became of the last request of the key’s user to complete it from mail; null in lists, and without one.',
      space_ids: 'The spaces that it was added to or whose tags it carries, as far as the user sees them.',
      tags: 'The tags that it carries.',
      shares: 'Whom the contact is shared with; null in lists.',
      comments: 'The comments on it, oldest first; null in lists.',
      tasks: 'Tasks about the contact that the user sees; null in lists.',
    },
  },
  Task: {
    is: 'Something to do.',
    fields: {
      user_id: 'Who created it; null when that user is gone.',
      name: 'What to do, in a line.',
      description: 'Details, as sanitized HTML; null without any.',
      status: 'Whether it is done.',
      due_at: 'When it is due; null without a date.',
      all_day: 'Whether only the day of `due_at` counts, in the time zone of the assignee.',
      reminders:
        'When its assignee, or its user without one, is reminded while it is open: minutes before `due_at`.',
      priority: 'How important it is; null when that is not said.',
      assigned_user_id: 'Who does it; null for nobody.',
      completed_at: 'When it was completed; null while it is open.',
      completed_by_user_id: 'Who completed it; null while it is open.',
      thread_id: 'The thread that it is about; null without one that the user sees.',
      contact_ids: 'The contacts that it is about and that the user sees.',
      organization_ids: 'The organizations that it is about and that the user sees.',
      deal_id: 'The deal that it is about; null without one that the user sees.',
      space_id: 'The space that it belongs to; null without one that the user sees.',
      milestone_id: 'The milestone that it leads to; null without one that the user sees.',
      calendar_event_id: 'The event that it is about; null without one that the user sees.',
      refs: 'Everything that it is about, with the names that the user sees; the name of a hidden record is null.',
      proposal_id: 'The proposal that made it; null when a user did.',
      visibility:
        '`account`: every user sees the task. `private`: its user, its assignee and whom it is shared with. `linked`: these, and who sees a record that it is about.',
      external_id: 'The id that another system has for the task, unique in the account; null without one.',
      shares: 'Whom the task is shared with.',
    },
  },
  TaskDraft: { is: 'A task to create.' },
  TaskChanges: { is: 'Changes of a task: fields that are not sent stay.' },
  Milestone: {
    is: 'A dated goal that gathers tasks.',
    fields: {
      user_id: 'Who created it; null when that user is gone.',
      name: 'The goal, in a line.',
      description: 'What it means to reach it; null without any.',
      due_on: 'The day by which it should be reached; null without one.',
      status: 'Whether it is still ahead, reached, or missed.',
      reached_at: 'When it was reached; null unless it is.',
      assigned_user_id: 'Who answers for it; null for nobody.',
      deal_id: 'The deal that it belongs to; null without one that the user sees.',
      space_id: 'The space that it belongs to; null without one that the user sees.',
      organization_id: 'The organization that it belongs to; null without one that the user sees.',
      contact_id: 'The contact that it belongs to; null without one that the user sees.',
      task_count: 'How many tasks lead to it that the user sees.',
      completed_task_count: 'How many of these are completed.',
      visibility:
        '`account`: every user sees the milestone. `private`: its user, its assignee and whom it is shared with.',
      shares: 'Whom the milestone is shared with.',
    },
  },
  MilestoneDraft: {
    is: 'A milestone to create, which belongs to one deal, space, organization or contact at most.',
  },
  MilestoneChanges: {
    is: 'Changes of a milestone: fields that are not sent stay. Afterwards it belongs to one record at most.',
  },
  Space: {
    is: 'Records that belong together: contacts and organizations that were added to it, or whatever carries its tags.',
    fields: {
      user_id: 'Who created it; null when that user is gone.',
      name: 'The name, in a line.',
      description: 'What it is for; null without any.',
      color: 'The color in which it is shown; null for none.',
      icon: 'An emoji, or the name of an icon; null for none.',
      kind: '`records`: made of contacts and organizations. `tags`: made of what carries its tags. It cannot be changed.',
      contact_ids:
        'The contacts that were added to it and that the user sees, by name; null in lists and after changes.',
      organization_ids:
        'The organizations that were added to it and that the user sees, by name; null in lists and after changes.',
      tag_ids: 'The tags that it is made of; empty for the kind `records`.',
      tag_operator: 'Whether one of the tags is enough.',
      visibility: '`account`: every user sees the space. `private`: its user and whom it is shared with.',
      archived: 'Whether it is put away. It is listed after the others.',
      thread_count:
        'How many threads of the space the user sees, up to 1,000; null in lists, after changes, and in a new space of tags.',
      open_task_count:
        'How many open tasks about the space the user sees, up to 1,000; null in lists and after changes.',
      shares: 'Whom the space is shared with.',
      comments: 'The comments on it, oldest first; null in lists and after changes.',
      tasks: 'Tasks about the space that the user sees; null in lists and after changes.',
    },
  },
  SpaceDraft: { is: 'A space to create.' },
  SpaceChanges: { is: 'Changes of a space: fields that are not sent stay.' },
  CreateSpaceMembershipRequest: {
    is: 'The contact or the organization to add.',
    fields: {
      contact_id: 'The person to add; not together with an organization.',
      organization_id: 'The organization to add; not together with a contact.',
    },
  },
  SpaceMembership: {
    is: 'That a contact or an organization was added to a space.',
    fields: {
      space_id: 'The space that it was added to.',
      contact_id: 'The contact; null for an organization.',
      organization_id: 'The organization; null for a contact.',
      user_id: 'Who added it; null when that user is gone.',
    },
  },
  ContactDraft: {
    is: 'A contact to create: at least one of `name`, `first_name`, `last_name` and `email_addresses` is needed.',
  },
  ContactEmailAddress: {
    is: 'An email address of a contact.',
    fields: { email_address: 'In lower case. It may be on one visible contact only.', label, primary },
  },
  ContactPhoneNumber: {
    is: 'A phone number of a contact.',
    fields: { phone_number: 'As it was written, with any spaces and dashes.', label, primary },
  },
  ContactLink: {
    is: 'A page on the web about a contact.',
    fields: { url: 'The address of the page, `http` or `https`.', label },
  },
  ContactAddress: { is: 'A postal address of a contact.', fields: addressFields },
  ContactEmployment: { is: 'A job that a contact has or had.', fields: employmentFields },
  ContactEmploymentOrganization: {
    is: 'The organization that employs a contact.',
    fields: {
      name: 'What the organization is called.',
      domain: 'Its domain on the internet; null when unknown.',
    },
  },
  ContactChanges: {
    is: 'Changes of a contact: fields that are not sent stay, and null clears.',
  },
  ContactChangesEmailAddress: { is: 'An email address that the contact has afterwards.' },
  ContactChangesPhoneNumber: { is: 'A phone number that the contact has afterwards.' },
  ContactChangesLink: { is: 'A page on the web that the contact has afterwards.' },
  ContactChangesAddress: { is: 'A postal address that the contact has afterwards.' },
  ContactChangesEmployment: { is: 'A job that the contact has afterwards.' },
  ContactChangesEmploymentOrganization: {
    is: 'The organization of a job, by its id, or by its name: then it is created when no visible one has it.',
  },
  ContactDraftEmailAddress: { is: 'An email address to put on a contact.' },
  ContactDraftPhoneNumber: { is: 'A phone number to put on a contact.' },
  ContactDraftLink: { is: 'A page on the web to put on a contact.' },
  ContactDraftAddress: { is: 'A postal address to put on a contact.' },
  ContactDraftEmployment: { is: 'A job to put on a contact.' },
  ContactDraftEmploymentOrganization: {
    is: 'An organization by its id, or by its name: then it is created when no visible one has it.',
  },
  Duplicate: {
    is: 'A contact that may be the same person as another one.',
    fields: {
      id: 'Identifies the pair, for both of its contacts.',
      contact: 'The other contact.',
      score: 'How likely both are one person, from 0 to 1.',
      reasons:
        'What both have in common. Numbers are compared by their digits, links without scheme and `www.`, names without case, accents and order.',
    },
  },
  DuplicateMerge: {
    is: 'How to merge a pair.',
    fields: {
      keep: 'The contact that keeps its id: `this`, that of the path, or `other`. `this` when omitted.',
      fields:
        'Whose value a field has afterwards; when omitted, that of the kept contact, or else the other’s.',
    },
  },
  MergedFields: {
    is: 'Whose value each field has after a merge: `this` is the contact of the path.',
    fields: Object.fromEntries(
      [
        ...['name', 'first_name', 'last_name', 'nickname', 'headline', 'description', 'avatar_url'],
        ...['birthday', 'time_zone', 'external_id'],
      ].map((name) => [name, `Whose \`${name}\` to take, also when it is null.`]),
    ),
  },
  MergeContactsRequest: {
    is: 'Which contact becomes part of the one of the path.',
    fields: {
      contact_id_to_merge: 'The contact that becomes part of it. Its id is 404 afterwards.',
      fields:
        'Whose value a field has afterwards; when omitted, that of the contact of the path, or else the other’s.',
      dry_run: 'Returns what merging would return, and changes nothing.',
    },
  },
  UnmergeContactsRequest: {
    is: 'Which contact is one of its own again.',
    fields: { contact_id_to_unmerge: 'One of `merged_ids` of the contact: the one that was merged last.' },
  },
  MergeDuplicateRequest: { is: 'How to merge a pair.', fields: { merge: 'What to keep.' } },
  ContactSummary: { is: 'A contact in short.', fields: { name: 'The name to show.' } },
  Enrichment: {
    is: 'A request to complete a contact from mail.',
    fields: {
      status: '`pending` until the agent has finished.',
      text: 'What it came to, for people; null while it is pending, and the reason when it failed.',
      proposal_ids: 'The proposals with what is new; empty when nothing is.',
      requested_at: 'When it was requested.',
      finished_at: 'When it was finished; null while it is pending.',
    },
  },
  Organization: {
    is: 'A company or another organization that the team knows.',
    fields: {
      user_id: 'Who created it, and who alone sees it while it is private; null when that user is gone.',
      name: 'What it is called. Several organizations may have one name.',
      domains:
        'Its domains on the internet, in ASCII and lower case, 80 at most; the first is the primary one.',
      description: 'Notes about the organization; null without any.',
      industry: 'What it does, in a line; null when unknown.',
      website_url: 'Its pages on the web, `http` or `https`; null without any.',
      logo_url: 'A picture of its logo, `http` or `https`; null without one.',
      employee_count: 'How many people work there; null when unknown.',
      phone_numbers: 'Numbers to call, 100 at most.',
      links: 'Pages on the web, 100 at most.',
      addresses: 'Postal addresses, 100 at most.',
      visibility: '`account`: every user sees the organization. `private`: only its user does.',
      external_id: 'The id that another system has for it, unique in the account; null without one.',
      custom_fields: 'Values under names of your own: 50 at most, 16 KB in all.',
      employments: 'The jobs there of people that the user sees, of the first 100 by name; null in lists.',
      contact_count: 'How many people with a job there the user sees; null in lists.',
      open_deal_count: 'Open deals with it; null while they are not counted.',
      last_interaction_at:
        'When the newest message to or from its people was sent, or the last meeting with them began, as the user sees them; null in lists, and for more than 200 addresses.',
      space_ids: 'The spaces that it was added to or whose tags it carries, as far as the user sees them.',
      tags: 'The tags that it carries.',
      shares: 'Whom the organization is shared with.',
      comments: 'The comments on it, oldest first; null in lists.',
      tasks: 'Tasks about the organization that the user sees; null in lists.',
    },
  },
  OrganizationDraft: { is: 'An organization to create.' },
  OrganizationChanges: {
    is: 'Changes of an organization: fields that are not sent stay, and null clears.',
  },
  OrganizationEmployment: {
    is: 'A job at an organization.',
    fields: {
      ...employmentFields,
      organization: 'The organization itself.',
      contact: 'The person; never one that the user does not see.',
    },
  },
  OrganizationEmploymentOrganization: {
    is: 'The organization that employs a person.',
    fields: {
      name: 'What the organization is called.',
      domain: 'Its primary domain; null without one.',
    },
  },
  OrganizationEmploymentContact: { is: 'The person of a job.', fields: { name: 'The name to show.' } },
  OrganizationPhoneNumber: {
    is: 'A phone number of an organization.',
    fields: { phone_number: 'As it was written, with any spaces and dashes.', label, primary },
  },
  OrganizationLink: {
    is: 'A page on the web about an organization.',
    fields: { url: 'The address of the page, `http` or `https`.', label },
  },
  OrganizationAddress: { is: 'A postal address of an organization.', fields: addressFields },
  OrganizationChangesPhoneNumber: { is: 'A phone number that the organization has afterwards.' },
  OrganizationChangesLink: { is: 'A page on the web that the organization has afterwards.' },
  OrganizationChangesAddress: { is: 'A postal address that the organization has afterwards.' },
  OrganizationDraftPhoneNumber: { is: 'A phone number to put on an organization.' },
  OrganizationDraftLink: { is: 'A page on the web to put on an organization.' },
  OrganizationDraftAddress: { is: 'A postal address to put on an organization.' },
  CustomField: {
    is: 'What the values of one key of `custom_fields` are.',
    fields: {
      user_id: 'Who defined it; null when that user is gone.',
      record_type: 'The records that it is for.',
      key: 'Its key in `custom_fields`, unique in the record type.',
      name: 'The name to show.',
      type: 'What its values are: a text, a number, true or false, a day, one of the options, or up to 20 of them.',
      options: 'What can be selected, 100 at most; empty for the other types.',
      required: 'Whether new records must have a value, and changes must leave one.',
      unique: 'Whether a value can be on one record only, whoever sees it; for text, number and date.',
      indexed: 'Whether lists can be filtered and sorted by it.',
      status:
        '`indexing` while the records from before are brought to it, which takes some minutes; then `ready`.',
      position:
        'Its place among the fields of the record type, from 0. A higher number than there are puts it last.',
    },
  },
  CustomFieldOption: {
    is: 'A value that can be selected.',
    fields: { value: 'What records have, without commas and semicolons.', name: 'The name to show.' },
  },
  CustomFieldDraft: { is: 'A custom field to define.' },
  CustomFieldDraftOption: {
    is: 'A value that can be selected.',
    fields: {
      value: 'What records have, without commas and semicolons.',
      name: 'The name to show; the value when omitted.',
    },
  },
  CustomFieldChanges: { is: 'Changes of a custom field: fields that are not sent stay.' },
  CustomFieldChangesOption: {
    is: 'A value that can be selected.',
    fields: {
      value: 'What records have, without commas and semicolons.',
      name: 'The name to show; the value when omitted.',
    },
  },
  CustomFieldListResponse: {
    is: 'The definitions of custom fields.',
    fields: { custom_fields: 'Each, by record type and position.' },
  },
  Pipeline: {
    is: 'The stages that deals go through, one after the other.',
    fields: {
      user_id: 'Who created it; null for the one that the account began with.',
      name: 'Unique in the account: names are compared trimmed and without case.',
      currency: 'ISO 4217 code for new deals; null for that of the account.',
      default:
        'Whether deals without a pipeline come here. Exactly one pipeline of the account is the default.',
      position: 'Its place among the pipelines, from 0. A higher number than there are puts it last.',
      stages: 'Its stages by position, 50 at most. At least one is open.',
      deal_count:
        'How many deals of the whole account are in it, open and closed; null when they are not counted.',
    },
  },
  PipelineListResponse: {
    is: 'The pipelines of the account.',
    fields: { pipelines: 'Every one with its stages, by position.' },
  },
  PipelineDraft: {
    is: 'A pipeline to create.',
    fields: {
      default: 'Takes the default from another pipeline.',
      stages:
        'In their order, at least one of them open. Without it: Lead, Qualified, Proposal, Negotiation, Won and Lost.',
    },
  },
  PipelineDraftStage: { is: 'A stage of the new pipeline, at its place in the list.' },
  PipelineChanges: {
    is: 'Changes of a pipeline: fields that are not sent stay.',
    fields: { default: 'True takes the default from another pipeline; false only fits where it is not.' },
  },
  Stage: {
    is: 'A step of deals through their pipeline.',
    fields: {
      user_id: 'Who created it; null when the account began with it.',
      name: 'Unique in the pipeline: names are compared trimmed and without case.',
      kind: 'What it means for a deal to be in it: still open, won or lost.',
      probability:
        'How likely its deals are won, in percent; null when nothing is said. Always 100 for won and 0 for lost.',
      color: 'Display color of the form #RRGGBB; null without one.',
      position: 'Its place in the pipeline, from 0. A higher number than there are puts it last.',
      deal_count: 'How many deals of the whole account are in it; null when they are not counted.',
    },
  },
  StageDraft: { is: 'A stage to add to a pipeline.' },
  StageChanges: { is: 'Changes of a stage: fields that are not sent stay, and null clears.' },
  DeleteStageRequest: {
    is: 'What becomes of the deals in the stage.',
    fields: {
      replacement_stage_id: 'Another stage of the pipeline, which gets them; needed when there are any.',
    },
  },
  Tag: {
    is: 'A label of the account: every user sees, applies and edits it.',
    fields: {
      name: 'Unique in the account: names are compared trimmed and without case.',
      color: 'Display color of the form #RRGGBB; null without one.',
      description: 'What the tag is for; null when nothing is said.',
      applicable_to_contacts:
        'Marks the tag as one for contacts and organizations; it can still be applied to anything.',
      applicable_to_interactions:
        'Whether the service may apply the tag to threads by itself, going by their content.',
      contact_count: counted('contacts'),
      organization_count: counted('organizations'),
      deal_count: counted('deals'),
      thread_count: counted('threads'),
      file_count: counted('files'),
      calendar_event_count: counted('calendar events'),
    },
  },
  Deletion: {
    is: 'That a record is gone for those who saw it. Nothing of its content.',
    fields: {
      id: 'The record that is gone.',
      deleted_at: 'When it was deleted, or merged into another one: the order of the list.',
      merged_into:
        'The record that it is part of now; null for a deleted one, and when the user does not see it.',
      restorable_until: 'Until when it can be restored; null when it cannot.',
    },
  },
  TagDraft: { is: 'A tag to create, without applying it.' },
  TagChanges: { is: 'Changes of a tag: fields that are not sent stay.' },
  NamedTag: {
    is: 'A tag by its name; it is created when the account has none with it.',
    fields: { color: 'Used only when the tag is created.' },
  },
  ApplyTagRequest: {
    is: 'The tag to apply: exactly one of `tag_id` and `tag`.',
    fields: { tag_id: 'A tag of the account.' },
  },
  DeleteTagRequest: {
    is: 'What becomes of the records with the tag.',
    fields: {
      replacement_tag_id: 'The tag that they get instead; without one they only lose the deleted tag.',
    },
  },
  Tagging: {
    is: 'A tag on a record.',
    fields: {
      tag_id: 'The tag that was applied.',
      taggable_type: 'The type of the record, in the singular.',
      taggable_id: 'The record that carries the tag.',
      user_id: 'Who applied the tag; null when no user did.',
      created_at: 'When it was applied.',
      tag: 'The tag itself, without counts.',
    },
  },
};
