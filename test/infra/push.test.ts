import { App, Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { expect, it } from 'vitest';
import { kinds } from '#shared/uses/kinds.ts';
import { deploymentOf } from '../../infra/aws/deployment.ts';
import { namesOf } from '../../infra/aws/names.ts';
import { variablesFor } from '../../infra/aws/operation.ts';
import { readStage } from '../../infra/aws/stage.ts';

it.each([
  [{ pushSecret: 'push/keys' }, '{{resolve:secretsmanager:push/keys:SecretString:::}}'],
  [{}, undefined],
])(
  'the worker has the keys of push services from their secret: %j',
  (context: Record<string, string>, keys) => {
    const stack = new Stack(new App({ analyticsReporting: false }), 'Variables');
    const stage = readStage((name) => context[name]);
    const names = namesOf('dev');
    const deployment = deploymentOf(stack, stage, names);
    const around = { stage, names, kinds, deployment, code: () => Code.fromInline('-') };
    expect(stack.resolve(variablesFor(['push'], 'job', around)).PUSH_CREDENTIALS).toBe(keys);
    expect(stack.resolve(variablesFor(['table:write'], 'job', around))).not.toHaveProperty(
      'PUSH_CREDENTIALS',
    );
  },
);
