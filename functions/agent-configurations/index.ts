export * as listAgentConfigurations from './list-agent-configurations.ts';
export * as updateAgentConfiguration from './update-agent-configuration.ts';
