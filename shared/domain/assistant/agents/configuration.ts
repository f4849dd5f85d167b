import * as z from 'zod';
import { customFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import { apart, derived, given, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableText, timestamp, uuid } from '#shared/values.ts';
import { type AgentSlug, agentSlugs, agents } from './agent.ts';

/** The configuration of an agent. Only changes by admins are stored. */

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
export const configurationSchema = configurations.response;

export type Configuration = z.infer<typeof configurationSchema>;

export const configurationChanges = configurations.changes.meta({ id: 'AgentConfigurationChanges' });

export type ConfigurationChanges = z.infer<typeof configurationChanges>;

/** The changed fields. `settings` are JSON text: JSON numbers may exceed DynamoDB's range. */
export type StoredConfiguration = Item &
  Partial<StoredFields<typeof configurations.fields>> & { agent_slug: AgentSlug; settings?: string };

/** The configuration of an agent without changes. */
const unset = {
  enabled: false,
  mode: 'suggest',
  instructions: null,
  updated_by_user_id: null,
  updated_at: null,
} as const;

/** The stored configuration, with defaults for missing fields. */
export function configurationOf(
  agent_slug: AgentSlug,
  stored: StoredConfiguration | undefined,
): Configuration {
  return configurations.present(
    { ...unset, ...stored, agent_slug },
    { ...agents[agent_slug], settings: JSON.parse(stored?.settings ?? '{}') },
  );
}
