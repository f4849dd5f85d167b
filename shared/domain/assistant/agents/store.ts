import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type AgentSlug, agentSlugs } from './agent.ts';
import { type Configuration, configurationOf, type StoredConfiguration } from './configuration.ts';

export async function findConfiguration(
  table: Table,
  account_id: string,
  slug: AgentSlug,
): Promise<Configuration> {
  return configurationOf(slug, await table.get(keys.agentConfiguration(account_id, slug)));
}

/** The configurations of all agents, always in the same order (docs/specification/assistant.md, "Agents"). */
export async function listConfigurations(table: Table, account_id: string): Promise<Configuration[]> {
  const { PK, SK } = keys.agentConfiguration(account_id, '');
  const stored = await table.all<StoredConfiguration>(PK, SK);
  return agentSlugs.map((slug) =>
    configurationOf(
      slug,
      stored.find(({ agent_slug }) => agent_slug === slug),
    ),
  );
}
