import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findConfiguration, listConfigurations } from '#shared/domain/assistant/agents/store.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /agent_configurations', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: the six agents, whole, with their defaults before anybody changed one', async () => {
    const { status, body } = await workspace.grace.reader.listAgentConfigurations();
    expect(status).toBe(200);
    const { records, ...page } = body.collection;
    expect(page).toEqual({ page: 1, per_page: 6, total_results: 6, pages: 1 });
    expect(records.map(({ agent_slug }) => agent_slug)).toEqual([
      'auto_tag',
      'auto_task',
      'auto_summarize',
      'auto_deal',
      'auto_enrich',
      'auto_meeting',
    ]);
    for (const { agent_slug: _, name, description, ...configured } of records) {
      expect(name).toMatch(/^[A-Z]/);
      expect(description).toMatch(/\.$/);
      expect(configured).toEqual({
        enabled: false,
        mode: 'suggest',
        instructions: null,
        settings: {},
        updated_by_user_id: null,
        updated_at: null,
      });
    }
  });

  it('shows changes to every user of the account, and to no other account', async () => {
    const { ada, grace, hank, table, account_id } = workspace;
    const agent_configuration = { enabled: true, mode: 'auto_apply' as const };
    const changed = await ada.api.updateAgentConfiguration({
      params: { agent_slug: 'auto_deal' },
      body: { agent_configuration },
    });
    const { records } = (await grace.reader.listAgentConfigurations()).body.collection;
    expect(records[3]).toEqual(changed.body.agent_configuration);
    expect(records.filter(({ enabled }) => enabled)).toHaveLength(1);
    const foreign = (await hank.reader.listAgentConfigurations()).body.collection.records;
    expect(foreign.filter(({ enabled }) => enabled)).toEqual([]);
    // The configuration as the workers of agents read it.
    expect(await listConfigurations(table, account_id)).toEqual(records);
    expect(await findConfiguration(table, account_id, 'auto_deal')).toEqual(records[3]);
    expect(await findConfiguration(table, account_id, 'auto_tag')).toEqual(records[0]);
  });
});
