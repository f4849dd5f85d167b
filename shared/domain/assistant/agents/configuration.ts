import * as z from 'zod';
import { customFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import { apart, derived, given, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableText, timestamp, uuid } from '#shared/values.ts';

/** The automatic agents of an account. All of them always exist; what an admin changed is stored. */

interface Agent {
  name: string;
  /** What it does, for people. */
  description: string;
}

const agents = {
  auto_tag: {
    name: 'Tagging',
    description: 'Puts tags on threads by what they are about. It uses only tags that allow it.',
  },
  auto_task: {
    name: 'Tasks',
    description: 'Finds what was promised or asked for in mail, and makes tasks of it.',
  },
  auto_summarize: {
    name: 'Summaries',
    description: 'Sums up threads: a sentence for lists, and a longer summary. The mode makes no difference.',
  },
  auto_deal: {
    name: 'Deals',
    description: 'Notices new business in mail, and moves deals on when mail says so.',
  },
  auto_enrich: {
    name: 'Enrichment',
    description: 'Completes contacts and organizations with what their mail tells about them.',
  },
  auto_meeting: {
    name: 'Meetings',
    description: 'Prepares meetings, and writes down what came of them from their transcripts.',
  },
} as const satisfies Record<string, Agent>;

export type AgentSlug = keyof typeof agents;

export const agentSlugs = Object.keys(agents) as AgentSlug[];

export function isAgentSlug(slug: string): slug is AgentSlug {
  return Object.hasOwn(agents, slug);
}

const mode = z.enum(['suggest', 'auto_apply']);

const instructions = 'Invoices get the tag Accounting.';
const settings = { language: 'en' };

const configurations = resource('AgentConfiguration', {
  agent_slug: given(z.enum(agentSlugs)),
  name: derived(z.string().meta({ example: agents.auto_tag.name })),
  description: derived(z.string().meta({ example: agents.auto_tag.description })),
  enabled: required(z.boolean(), z.boolean()),
  mode: required(mode, mode.meta({ description: 'Whether it proposes its changes or makes them' })),
  instructions: required(
    clearableText(4_000).meta({ example: instructions }),
    z.string().nullable().meta({ example: instructions }),
  ),
  settings: apart(
    required(
      customFields.meta({ example: settings }),
      z.record(z.string(), z.unknown()).meta({ example: settings }),
    ),
  ),
  updated_by_user_id: given(uuid.nullable()),
  updated_at: given(timestamp.nullable()),
});

/** docs/specification/assistant.md, "Agents". */
export const configurationRecord = configurations.record;

export type Configuration = z.infer<typeof configurationRecord>;

export const configurationChanges = configurations.changes.meta({ id: 'AgentConfigurationChanges' });

export type ConfigurationChanges = z.infer<typeof configurationChanges>;

/** What was ever changed. `settings` are JSON text: numbers of JSON may be larger than DynamoDB's. */
export type StoredConfiguration = Item &
  Partial<StoredFields<typeof configurations.fields>> & { agent_slug: AgentSlug; settings?: string };

/** Of an agent that nobody has set. */
const unset = {
  enabled: false,
  mode: 'suggest',
  instructions: null,
  updated_by_user_id: null,
  updated_at: null,
} as const;

/** The configuration with its defaults, where nothing else is stored. */
export function configurationOf(
  agent_slug: AgentSlug,
  stored: StoredConfiguration | undefined,
): Configuration {
  return configurations.present(
    { ...unset, ...stored, agent_slug },
    { ...agents[agent_slug], settings: JSON.parse(stored?.settings ?? '{}') },
  );
}
