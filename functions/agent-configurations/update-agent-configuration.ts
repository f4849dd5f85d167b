import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { configurationChanges, configurationSchema } from '#shared/domain/assistant/agents/configuration.ts';
import { updateConfiguration } from '#shared/domain/assistant/agents/update.ts';

export const updateAgentConfiguration = route('updateAgentConfiguration', {
  method: 'PATCH',
  path: '/agent_configurations/{agent_slug}',
  access: 'write',
  summary: 'Configure an agent',
  description:
    'Only by account admins. Fields that are not sent stay, `null` clears the instructions, and `settings` replaces ' +
    'all settings: 50 at most, 16 KB in all. `agent_slug` is one of `auto_tag`, `auto_task`, `auto_summarize`, ' +
    '`auto_deal`, `auto_enrich`, `auto_meeting`.',
  body: { agent_configuration: configurationChanges },
  returns: { 200: { agent_configuration: configurationSchema } },
  errors: ['permission_denied'],
  uses: ['table:write'],
});

export const handler = handle(updateAgentConfiguration, async ({ ctx, params, body }) => ({
  agent_configuration: await updateConfiguration(ctx, params.agent_slug, body.agent_configuration),
}));
