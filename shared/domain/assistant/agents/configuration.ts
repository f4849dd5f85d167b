import * as z from 'zod';
import { customFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableText, notWritable, timestamp, uuid } from '#shared/values.ts';

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

/** docs/specification/assistant.md, "Agents". */
export const configurationRecord = z
  .strictObject({
    agent_slug: z.enum(agentSlugs),
    name: z.string().meta({ example: agents.auto_tag.name }),
    description: z.string().meta({ example: agents.auto_tag.description }),
    enabled: z.boolean(),
    mode: mode.meta({ description: 'Whether it proposes its changes or makes them' }),
    instructions: z.string().nullable().meta({ example: 'Invoices get the tag Accounting.' }),
    settings: z.record(z.string(), z.unknown()).meta({ example: { language: 'en' } }),
    updated_by_user_id: uuid.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'AgentConfiguration' });

export type Configuration = z.infer<typeof configurationRecord>;

export const configurationChanges = z
  .object({
    enabled: z.boolean().optional(),
    mode: mode.optional(),
    instructions: clearableText(4_000).optional().meta({ example: 'Invoices get the tag Accounting.' }),
    settings: customFields.meta({ example: { language: 'en' } }).optional(),
    agent_slug: notWritable,
    name: notWritable,
    description: notWritable,
    updated_by_user_id: notWritable,
    updated_at: notWritable,
  })
  .meta({ id: 'AgentConfigurationChanges' });

export type ConfigurationChanges = z.infer<typeof configurationChanges>;

/** What was ever changed. `settings` are JSON text: numbers of JSON may be larger than DynamoDB's. */
export type StoredConfiguration = Item & {
  agent_slug: AgentSlug;
  settings?: string;
  updated_by_user_id: string;
  updated_at: string;
} & Partial<Pick<Configuration, 'enabled' | 'mode' | 'instructions'>>;

/** The configuration with its defaults, where nothing else is stored. */
export function configurationOf(
  agent_slug: AgentSlug,
  stored: StoredConfiguration | undefined,
): Configuration {
  return {
    agent_slug,
    ...agents[agent_slug],
    enabled: stored?.enabled ?? false,
    mode: stored?.mode ?? 'suggest',
    instructions: stored?.instructions ?? null,
    settings: JSON.parse(stored?.settings ?? '{}'),
    updated_by_user_id: stored?.updated_by_user_id ?? null,
    updated_at: stored?.updated_at ?? null,
  };
}
