import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { configurationSchema } from '#shared/domain/assistant/agents/configuration.ts';
import { listConfigurations } from '#shared/domain/assistant/agents/store.ts';

export const listAgentConfigurations = route('listAgentConfigurations', {
  method: 'GET',
  path: '/agent_configurations',
  access: 'read',
  summary: 'List the configurations of the agents',
  description:
    'Every agent of the account, returned whole. An agent that was never configured is off and has the defaults.',
  returns: { 200: { collection: wholeCollection(configurationSchema) } },
  uses: ['table:read'],
});

export const handler = handle(listAgentConfigurations, async ({ ctx }) => ({
  collection: whole(await listConfigurations(ctx.table, ctx.caller.account.id)),
}));
