import { App, Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { modelGrants } from '#shared/uses/assistant.ts';
import { kinds, workers } from '#shared/uses/kinds.ts';
import { operations } from '../../functions/catalogue.ts';
import { deploymentOf } from '../../infra/aws/deployment.ts';
import { namesOf } from '../../infra/aws/names.ts';
import { addRole, variablesFor } from '../../infra/aws/operation.ts';
import { grantsFor } from '../../infra/aws/permissions.ts';
import { readStage } from '../../infra/aws/stage.ts';
import { ofType, synthesize } from './synthesized.ts';

/** Which model a deployment calls, and the permissions of its workers. */

const settings = (context: Record<string, string>) => readStage((name) => context[name]).assistant;
const openai = {
  assistant: 'openai',
  assistantModel: 'llama3.3',
  assistantUrl: 'https://models.acme.example/v1',
};

describe('cdk -c', () => {
  it('is Bedrock with a model that needs no subscription by default', () => {
    expect(settings({})).toEqual({
      provider: 'bedrock',
      model: 'global.amazon.nova-2-lite-v1:0',
      url: undefined,
      api_key_secret: undefined,
      questions_per_minute: 20,
    });
  });

  it('names another model, another provider, or none', () => {
    const model = 'eu.anthropic.claude-haiku-4-5-20251001-v1:0';
    expect(settings({ assistantModel: model })).toMatchObject({ provider: 'bedrock', model });
    expect(settings({ ...openai, assistantApiKeySecret: 'models/key' })).toEqual({
      provider: 'openai',
      model: 'llama3.3',
      url: 'https://models.acme.example/v1',
      api_key_secret: 'models/key',
      questions_per_minute: 20,
    });
    for (const assistant of ['built-in', 'none'])
      expect(settings({ assistant })).toMatchObject({ provider: assistant, model: undefined });
  });

  it.each([
    [{ assistant: 'azure' }, /must be one of/],
    [{ assistant: 'openai', assistantModel: 'm' }, /ASSISTANT_URL/],
    [{ assistant: 'none', assistantModel: 'm' }, /ASSISTANT_MODEL/],
    [{ assistantApiKeySecret: 'models/key' }, /takes no ASSISTANT_API_KEY/],
    [{ assistantUrl: 'https://models.acme.example' }, /assistantUrl is for the provider openai/],
  ])('%j is refused', (context: Record<string, string>, message) => {
    expect(() => settings(context)).toThrow(message);
  });
});

describe('the permission to call the model', () => {
  const at = { partition: 'aws', region: 'eu-central-1', account: '111122223333' };
  const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];
  const grants = (model: string) => modelGrants({ provider: 'bedrock', model }, at);
  const through = (profile: string, behind: string) => [
    { actions, resources: [profile] },
    {
      actions,
      resources: [`arn:aws:bedrock:*::foundation-model/${behind}`],
      conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
    },
  ];

  it.each(['amazon.nova-lite-v1:0', 'deepseek.v3.2', 'ai21.jamba-1-5-mini-v1:0'])(
    'is for %s alone',
    (model) => {
      const resources = [`arn:aws:bedrock:eu-central-1::foundation-model/${model}`];
      expect(grants(model)).toEqual([{ actions, resources }]);
    },
  );

  it.each([
    ['global.amazon.nova-2-lite-v1:0', 'amazon.nova-2-lite-v1:0'],
    ['eu.anthropic.claude-haiku-4-5-20251001-v1:0', 'anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['us-gov.amazon.nova-lite-v1:0', 'amazon.nova-lite-v1:0'],
    ['apac.amazon.nova-lite-v1:0', 'amazon.nova-lite-v1:0'],
  ])('is for the profile %s, and by way of it for the model', (model, behind) => {
    const profile = `arn:aws:bedrock:eu-central-1:111122223333:inference-profile/${model}`;
    expect(grants(model)).toEqual(through(profile, behind));
    expect(grants(profile)).toEqual(through(profile, behind));
  });

  it('is for a profile of the account, with any model behind it', () => {
    const profile = 'arn:aws:bedrock:eu-central-1:111122223333:application-inference-profile/a1b2c3';
    expect(grants(profile)).toEqual(through(profile, '*'));
  });

  it('is for a model by its ARN', () => {
    const arn = 'arn:aws:bedrock:eu-central-1:111122223333:imported-model/a1b2c3';
    expect(grants(arn)).toEqual([{ actions, resources: [arn] }]);
  });

  it.each(['openai', 'built-in', 'none'] as const)('is nothing with %s', (provider) => {
    expect(modelGrants({ provider, model: 'm' }, at)).toEqual([]);
  });

  const model = grants('amazon.nova-lite-v1:0');

  it('is granted to workers with `assistant` in `uses`, and to nothing else', () => {
    const stage = readStage((name) => ({ assistantModel: 'amazon.nova-lite-v1:0' })[name]);
    const deployment = { ...deploymentOf(new Stack(), stage, namesOf('dev')), ...at };
    const known = { kinds, deployment };
    expect(grantsFor(['assistant', 'table:write'], 'job', known)).toEqual(expect.arrayContaining(model));
    const others = grantsFor(['table:write', 'bucket:write-mail', 'queue:import-mail'], 'write', known);
    expect(others.flatMap((grant) => grant.actions).filter((each) => each.startsWith('bedrock:'))).toEqual(
      [],
    );
  });

  it('is explained where it holds in all regions', () => {
    const app = new App({ analyticsReporting: false });
    const stack = new Stack(app, 'Explained');
    const role = modelGrants({ provider: 'bedrock', model: 'eu.amazon.nova-lite-v1:0' }, stack);
    addRole(stack, 'Role', role, [new LogGroup(stack, 'Logs')], kinds);
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });
});

describe('the variables', () => {
  const stack = new Stack(new App({ analyticsReporting: false }), 'Variables');
  const variables = (uses: readonly 'assistant'[], context: Record<string, string>) => {
    const stage = readStage((name) => context[name]);
    const names = namesOf('dev');
    const deployment = deploymentOf(stack, stage, names);
    const around = { stage, names, kinds, deployment, code: () => Code.fromInline('-') };
    return stack.resolve(variablesFor(uses, 'job', around));
  };

  it('are the provider alone where no model is called', () => {
    const context = { ...openai, assistantApiKeySecret: 'models/key' };
    expect(variables([], context)).toEqual({ STAGE: 'dev', ASSISTANT_PROVIDER: 'openai' });
    expect(variables([], { assistant: 'none' })).toEqual({ STAGE: 'dev', ASSISTANT_PROVIDER: 'none' });
  });

  it('are all set where a model is called, the key from its secret', () => {
    expect(variables(['assistant'], { ...openai, assistantApiKeySecret: 'models/key' })).toEqual({
      STAGE: 'dev',
      ASSISTANT_PROVIDER: 'openai',
      ASSISTANT_MODEL: 'llama3.3',
      ASSISTANT_URL: 'https://models.acme.example/v1',
      ASSISTANT_API_KEY: '{{resolve:secretsmanager:models/key:SecretString:::}}',
    });
    expect(variables(['assistant'], {})).toEqual({
      STAGE: 'dev',
      ASSISTANT_PROVIDER: 'bedrock',
      ASSISTANT_MODEL: 'global.amazon.nova-2-lite-v1:0',
    });
  });
});

describe('the stack', () => {
  const { jobs, api } = synthesize(operations, { stage: 'prod' });
  const inBoth = (type: string) => [jobs, api].flatMap((resources) => ofType(resources, type));
  const asking = Object.entries(workers)
    .filter(([, { uses }]) => (uses as readonly string[]).includes('assistant'))
    .map(([name]) => `WorkspaceApiJobs-prod-${name}`);

  it('gives the provider to every function, and the model only to workers that call it', () => {
    const functions = inBoth('AWS::Lambda::Function').map(([, { Properties }]) => Properties);
    for (const { FunctionName, Environment } of functions) {
      expect(Environment.Variables.ASSISTANT_PROVIDER, FunctionName).toBe('bedrock');
      expect('ASSISTANT_MODEL' in Environment.Variables, FunctionName).toBe(asking.includes(FunctionName));
    }
  });

  it('lets only these workers call it', () => {
    const roles = inBoth('AWS::IAM::Role').filter(([, role]) => JSON.stringify(role).includes('bedrock:'));
    const having = inBoth('AWS::Lambda::Function')
      .map(([, { Properties }]) => Properties)
      .filter(({ Role }) => roles.some(([id]) => id === Role['Fn::GetAtt'][0]));
    expect(having.map(({ FunctionName }) => FunctionName).sort()).toEqual([...asking].sort());
  });
});
