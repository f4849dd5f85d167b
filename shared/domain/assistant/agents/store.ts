import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import {
  type AgentSlug,
  agentSlugs,
  type Configuration,
  type ConfigurationChanges,
  configurationOf,
  isAgentSlug,
  type StoredConfiguration,
} from './configuration.ts';

export async function findConfiguration(
  table: Table,
  account_id: string,
  slug: AgentSlug,
): Promise<Configuration> {
  return configurationOf(slug, await table.get(keys.agentConfiguration(account_id, slug)));
}

/** Of every agent, always in the same order (docs/specification/assistant.md, "Agents"). */
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

/**
 * Writes the fields that are sent and no others, so that changes of different fields at once all last. 404 when there
 * is no such agent; 403 for all but admins.
 */
export async function updateConfiguration(
  { table, caller, now }: CallerContext,
  slug: string,
  { settings, ...sent }: ConfigurationChanges,
): Promise<Configuration> {
  if (!isAgentSlug(slug)) throw recordNotFound();
  if (!isAdmin(caller.user)) throw new ApiError('permission_denied');
  const account_id = caller.account.id;
  const changed = settings === undefined ? sent : { ...sent, settings: JSON.stringify(settings) };
  if (Object.keys(changed).length === 0) return findConfiguration(table, account_id, slug);
  const stored = await table.update<StoredConfiguration>(keys.agentConfiguration(account_id, slug), {
    set: {
      ...changed,
      agent_slug: slug,
      updated_by_user_id: caller.user.id,
      updated_at: now.toISOString(),
    },
  });
  return configurationOf(slug, stored);
}
