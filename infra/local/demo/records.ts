import type { AgentSlug } from '#shared/domain/assistant/agents/agent.ts';
import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import type { DemoShareRequest } from './access.ts';
import type { DemoContact } from './contacts.ts';
import type { DemoDeal } from './deals.ts';
import type { DemoMistakes } from './deletions.ts';
import type { DemoDraft } from './drafts.ts';
import type { DemoEvent } from './events.ts';
import type { DemoMilestone } from './milestones.ts';
import type { DemoComment, DemoFlag, DemoTag, DemoTagging } from './notes.ts';
import type { DemoOrganization } from './organizations.ts';
import type { DemoUserKey } from './people.ts';
import type { DemoSpace } from './spaces.ts';
import type { DemoTable } from './tables.ts';
import type { DemoTask } from './tasks.ts';
import type { DemoUpload } from './uploads.ts';

/** What the people of one account add around their mail. Threads are named by their subject, contacts by their name. */
export interface DemoRecords {
  organizations: readonly DemoOrganization[];
  contacts: readonly DemoContact[];
  tags: readonly DemoTag[];
  taggings: readonly DemoTagging[];
  contact_taggings: readonly { contact_name: string; tag: string }[];
  comments: readonly DemoComment[];
  contact_comments: readonly { contact_name: string; author: DemoUserKey; html_content: string }[];
  organization_comments: readonly { organization_name: string; author: DemoUserKey; html_content: string }[];
  flags: readonly DemoFlag[];
  /** Until so many days from now. */
  snoozes: readonly { thread_subject: string; user: DemoUserKey; days: number }[];
  resolutions: readonly { thread_subject: string; user: DemoUserKey }[];
  drafts: readonly DemoDraft[];
  milestones: readonly DemoMilestone[];
  spaces: readonly DemoSpace[];
  tasks: readonly DemoTask[];
  deals: readonly DemoDeal[];
  events: readonly DemoEvent[];
  uploads: readonly DemoUpload[];
  tables: readonly DemoTable[];
  groups: readonly {
    name: string;
    description: string;
    created_by: DemoUserKey;
    members: readonly DemoUserKey[];
  }[];
  /** Indexed ones are ready some minutes after the start. */
  custom_fields: readonly {
    record_type: 'contacts' | 'organizations' | 'deals';
    key: string;
    name: string;
    type: 'text' | 'number' | 'boolean' | 'date' | 'select' | 'multi_select';
    options?: readonly { value: string; name?: string }[];
    required?: boolean;
    unique?: boolean;
    indexed?: boolean;
  }[];
  pipelines: readonly {
    name: string;
    currency: string;
    stages: readonly { name: string; kind?: 'open' | 'won' | 'lost'; probability?: number; color?: string }[];
  }[];
  pins: readonly { contact_name: string; user: DemoUserKey }[];
  /** Of a thread, a contact, an organization, or the mailbox of `by` when none is named. */
  shares: readonly DemoShare[];
  share_requests: readonly DemoShareRequest[];
  agents: readonly DemoAgent[];
  /** Users who get one mail an hour about notifications of these events. */
  mailed: readonly { by: DemoUserKey; events: readonly NotificationEvent[] }[];
  /** With the app of a phone: a local run sends it nothing. */
  devices: readonly { by: DemoUserKey; name: string; app_version: string }[];
  conversations: readonly { by: DemoUserKey; title: string; questions: readonly string[] }[];
  /** Requests to the assistant in comments. It answers with a proposal; without an `answer` that stays pending. */
  requests: readonly DemoRequest[];
  /** Users who are told each morning what their day brings. */
  briefed: readonly DemoUserKey[];
  /** Contacts to complete from their mail. */
  enriched: readonly { by: DemoUserKey; contact_name: string }[];
  /** Archives besides the mailbox's own, which cannot be read as a whole. */
  damaged_archives: readonly { by: DemoUserKey; file_name: string; content_type: string; content: string }[];
  mistakes: DemoMistakes;
  /** Users who marked all notifications read, and dismissed the oldest of a comment. Later ones are unread. */
  tidied: readonly DemoUserKey[];
}

export interface DemoShare {
  by: DemoUserKey;
  thread_subject?: string;
  contact_name?: string;
  organization_name?: string;
  with: { user: DemoUserKey } | { group: string };
  access: 'view' | 'edit';
}

interface DemoAgent {
  by: DemoUserKey;
  agent_slug: AgentSlug;
  mode: 'suggest' | 'auto_apply';
  instructions: string | null;
}

interface DemoRequest {
  by: DemoUserKey;
  on: { thread_subject: string } | { contact_name: string };
  text: string;
  answer?: 'accept' | { reject: string };
}
