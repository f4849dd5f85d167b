import { type AssistantConfig, assistantProblem, readAssistant } from '#shared/config.ts';
import type { Grant, Kind } from './kind.ts';

/** The language model of a deployment: its settings, and the permission to call it. */

/**
 * The default model: it supports tools and, being AWS's own, needs no subscription before its first use. `global.` may
 * run in any commercial region; `us.`, `eu.` and so on stay in theirs:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/global-cross-region-inference.html
 */
const DEFAULT_MODEL = 'global.amazon.nova-2-lite-v1:0';

export interface AssistantSettings extends Omit<AssistantConfig, 'api_key'> {
  /** The name of the secret in Secrets Manager that holds the key. */
  api_key_secret: string | undefined;
}

/**
 * Reads `cdk -c name=value`: assistant, assistantModel, assistantUrl, assistantApiKeySecret,
 * assistantQuestionsPerMinute.
 */
export function readAssistantSettings(text: (name: string) => string | undefined): AssistantSettings {
  const provider = text('assistant') ?? 'bedrock';
  const api_key_secret = text('assistantApiKeySecret');
  const config = readAssistant({
    ASSISTANT_PROVIDER: provider,
    ASSISTANT_MODEL: text('assistantModel') ?? (provider === 'bedrock' ? DEFAULT_MODEL : undefined),
    ASSISTANT_URL: text('assistantUrl'),
    ASSISTANT_API_KEY: api_key_secret,
    ASSISTANT_QUESTIONS_PER_MINUTE: text('assistantQuestionsPerMinute'),
  });
  const problem = assistantProblem(config) ?? cloudProblem(config);
  if (problem)
    throw new Error(`${problem} By -c: assistant, assistantModel, assistantUrl, assistantApiKeySecret.`);
  const { api_key: _, ...settings } = config;
  return { ...settings, api_key_secret };
}

function cloudProblem({ provider, url }: AssistantConfig): string | undefined {
  return provider === 'bedrock' && url
    ? 'assistantUrl is for the provider openai: Bedrock is AWS itself.'
    : undefined;
}

/** `global.`, `us.`, `eu.`, `apac.` and so on before a model's id make it an inference profile. */
const PROFILE = /^(?:global|apac|us-gov|[a-z]{2})\.(.+)$/;

/**
 * The permission to call this model only. An inference profile forwards to the model in other regions and, when it is
 * global, to one without a region, which a region of `*` also matches. The role needs both, and gets the models only
 * through the profile: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html
 */
export function modelGrants(
  { provider, model = '' }: Pick<AssistantConfig, 'provider' | 'model'>,
  { partition, region, account }: { partition: string; region: string; account: string },
): Grant[] {
  if (provider !== 'bedrock') return [];
  const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];
  const models = (where: string, id: string) => `arn:${partition}:bedrock:${where}::foundation-model/${id}`;
  const through = (profile: string, id: string): Grant[] => [
    { actions, resources: [profile] },
    {
      actions,
      resources: [models('*', id)],
      conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
    },
  ];
  // The ARN of a profile does not name the model.
  if (model.startsWith('arn:'))
    return /:(?:application-)?inference-profile\//.test(model)
      ? through(model, PROFILE.exec(model.split('/').at(-1) as string)?.[1] ?? '*')
      : [{ actions, resources: [model] }];
  const behind = PROFILE.exec(model)?.[1];
  return behind
    ? through(`arn:${partition}:bedrock:${region}:${account}:inference-profile/${model}`, behind)
    : [{ actions, resources: [models(region, model)] }];
}

/** The language model, for workers only: it takes longer than the gateway waits. */
export const assistant = {
  grants: (_, { setting, ...where }) => modelGrants(readAssistantSettings(setting), where),
  wildcards: {
    bedrock: 'Bedrock chooses the region, and this is allowed by way of one inference profile only.',
  },
  variables(_, { setting, secret }) {
    const { model, url, api_key_secret } = readAssistantSettings(setting);
    return {
      ...(model ? { ASSISTANT_MODEL: model } : {}),
      ...(url ? { ASSISTANT_URL: url } : {}),
      ...(api_key_secret ? { ASSISTANT_API_KEY: secret(api_key_secret) } : {}),
    };
  },
  /** Whether there is an assistant, and, where questions start, how many are allowed a minute. */
  known(uses, { setting }) {
    const { provider, questions_per_minute } = readAssistantSettings(setting);
    return {
      ASSISTANT_PROVIDER: provider,
      ...(uses.has('queue:reply-as-assistant')
        ? { ASSISTANT_QUESTIONS_PER_MINUTE: String(questions_per_minute) }
        : {}),
    };
  },
  settings: {
    assistant: 'bedrock (default), openai, built-in or none',
    assistantModel: 'the name of a model at its provider',
    assistantUrl: 'the address of a server with the API of OpenAI',
    assistantApiKeySecret: 'the secret with the key of that server',
    assistantQuestionsPerMinute: 'how often a user may ask; 20 by default',
  },
  local: [
    'ASSISTANT_PROVIDER',
    'ASSISTANT_MODEL',
    'ASSISTANT_URL',
    'ASSISTANT_API_KEY',
    'ASSISTANT_QUESTIONS_PER_MINUTE',
  ],
  libraries: { '@aws-sdk/client-bedrock-runtime': { bytes: 120_000, reason: 'asks a language model' } },
} as const satisfies Kind;
