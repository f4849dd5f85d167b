import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { keys } from '#shared/table/keys.ts';
import {
  type Configuration,
  type ConfigurationChanges,
  configurationOf,
  type StoredConfiguration,
} from './configuration.ts';
import { requireAgent } from './policy.ts';
import { findConfiguration } from './store.ts';

/**
 * Writes only the fields that are sent, so that concurrent changes of different fields all take effect. 404 when there
 * is no such agent; 403 for everyone except admins.
 */
export async function updateConfiguration(
  { table, caller, now }: CallerContext,
  slug: string,
  { settings, ...sent }: ConfigurationChanges,
): Promise<Configuration> {
  const agent_slug = requireAgent(slug);
  requireAdmin(caller);
  const account_id = caller.account.id;
  const changed = settings === undefined ? sent : { ...sent, settings: JSON.stringify(settings) };
  if (Object.keys(changed).length === 0) return findConfiguration(table, account_id, agent_slug);
  const stored = await table.update<StoredConfiguration>(keys.agentConfiguration(account_id, agent_slug), {
    set: {
      ...changed,
      agent_slug,
      updated_by_user_id: caller.user.id,
      updated_at: now.toISOString(),
    },
  });
  return configurationOf(agent_slug, stored);
}
