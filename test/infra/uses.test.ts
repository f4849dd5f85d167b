import { App, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { queues, schedules } from '#shared/queues/queues.ts';
import type { Kind } from '#shared/uses/kind.ts';
import { kinds, type Use } from '#shared/uses/kinds.ts';
import { BUDGET, measureBundles } from '../../infra/aws/budget.ts';
import { deploymentOf } from '../../infra/aws/deployment.ts';
import { entriesOf } from '../../infra/aws/entries.ts';
import { namesOf } from '../../infra/aws/names.ts';
import { addRole } from '../../infra/aws/operation.ts';
import { grantsFor } from '../../infra/aws/permissions.ts';
import { readStage } from '../../infra/aws/stage.ts';
import { normalizeUses, usedModes } from '../../infra/aws/uses.ts';
import { localVariables } from '../../infra/local/stack.ts';
import { longIt } from '../support/long.ts';
import { inventedOperations, ofType, type Resource, synthesize } from './synthesized.ts';

/** Kinds that exist only in this file: everything must follow from their declarations. */
const smtp = {
  grants: (_, { arn }) => [
    {
      actions: ['ses:SendRawEmail'],
      resources: [arn({ service: 'ses', resource: 'identity', resourceName: '*' })],
    },
  ],
  wildcards: { ses: 'Users verify addresses of their own.' },
  variables: (_, { setting, secret }) => ({
    SMTP_URL: setting('smtpUrl') ?? '',
    SMTP_PASSWORD: secret('smtp/password'),
  }),
  known: (uses) => (uses.has('bucket:read-bodies') ? { SMTP_LIMIT: '10' } : {}),
  endpoint: 'SMTP_ENDPOINT',
  local: ['SMTP_URL', 'SMTP_PASSWORD'],
  libraries: { 'smtp-client': { bytes: 1_000, reason: 'speaks SMTP' } },
} as const satisfies Kind;
const sockets = {
  modes: ['send', 'manage'],
  includes: { manage: 'send' },
  grants: (modes, { arn }) =>
    [...modes].map((mode) => ({
      actions: [`execute-api:${mode}`],
      resources: [arn({ service: 'execute-api', resource: 'sockets' })],
    })),
} as const satisfies Kind;
const known = { ...kinds, smtp, sockets };
const uses = (...names: string[]) => names as Use[];

const [plain, sending, receiving, pushing, ...others] = inventedOperations(8).map((operation, i) => {
  const added = [[], ['smtp'], ['bucket:read-bodies'], ['sockets:send', 'sockets:manage']][i] ?? [];
  const definition = {
    ...operation.definition,
    access: 'public' as const,
    uses: uses('table:read', ...added),
  };
  return { ...operation, definition };
}) as ReturnType<typeof inventedOperations>;
if (!plain || !sending || !receiving || !pushing) throw new Error('There are too few operations');
const operations = [plain, sending, receiving, pushing, ...others];
const worker = { ...queues['sync-labels'], uses: ['table:write', 'smtp'] };
const jobs = { queues: { 'sync-labels': worker }, schedules, known };

function functionsOf(context: Record<string, string>) {
  const { api, jobs: background } = synthesize(operations, { smtpUrl: 'smtp://x', ...context }, jobs);
  const all = { ...api, ...background };
  const found = ofType(all, 'AWS::Lambda::Function').map(([, { Properties }]) => ({
    name: Properties.FunctionName as string,
    variables: Properties.Environment.Variables as Record<string, string>,
    role: JSON.stringify((all[Properties.Role['Fn::GetAtt'][0]] as Resource).Properties.Policies),
  }));
  return { of: (name: string) => found.find((each) => each.name.endsWith(`-${name}`)), found };
}

describe('a kind that is declared', () => {
  const { of, found } = functionsOf({ stage: 'prod' });

  it('gives variables and permissions to the functions that use it, and to no others', () => {
    const users = found.filter(({ variables }) => 'SMTP_URL' in variables).map(({ name }) => name);
    const senders = found.filter(({ role }) => role.includes('ses:SendRawEmail')).map(({ name }) => name);
    expect(users).toEqual([expect.stringContaining(sending.name), expect.stringContaining('sync-labels')]);
    expect(senders).toEqual(users);
    for (const name of [sending.name, 'sync-labels'])
      expect(of(name)?.variables).toMatchObject({
        SMTP_URL: 'smtp://x',
        SMTP_PASSWORD: '{{resolve:secretsmanager:smtp/password:SecretString:::}}',
      });
  });

  it('gives other functions its `known` variables', () => {
    const told = found.filter(({ variables }) => 'SMTP_LIMIT' in variables).map(({ name }) => name);
    expect(told).toEqual([expect.stringContaining(receiving.name)]);
  });

  it('has modes, one of which may include another', () => {
    expect(normalizeUses(uses('sockets:send', 'sockets:manage', 'smtp'), known)).toEqual([
      'smtp',
      'sockets:manage',
    ]);
    expect(of(pushing.name)?.role).toContain('execute-api:manage');
    expect(of(pushing.name)?.role).not.toContain('execute-api:send');
  });

  longIt('has a variable for a local server where it declares one', () => {
    const local = functionsOf({ localEndpoints: 'true' });
    const having = local.found.filter(({ variables }) => variables.SMTP_ENDPOINT === '');
    expect(having.map(({ name }) => name)).toEqual([
      expect.stringContaining(sending.name),
      expect.stringContaining('sync-labels'),
    ]);
    expect(found.filter(({ variables }) => 'SMTP_ENDPOINT' in variables)).toEqual([]);
  });

  it('takes its variables of a local run from the environment', () => {
    const env = { SMTP_URL: 'smtp://localhost', ASSISTANT_MODEL: 'm', HOME: '/home/ada' };
    expect(localVariables(env, known)).toEqual({ SMTP_URL: 'smtp://localhost', ASSISTANT_MODEL: 'm' });
    expect(localVariables(env)).toEqual({ ASSISTANT_MODEL: 'm' });
  });

  it('allows its library only in bundles of functions that use it, up to the declared bytes', () => {
    const inputs = { 'node_modules/smtp-client/index.js': { bytesInOutput: 1 } };
    const entries = entriesOf(operations);
    const problems = (more: number) => {
      const outputs = entries.map(({ name }) => [`out/${name}/index.js`, { bytes: BUDGET + more, inputs }]);
      return measureBundles(operations, { outputs: Object.fromEntries(outputs) } as Metafile, known);
    };
    const free = problems(1_000).filter((size) => size.problems.length === 0);
    expect(free.map(({ entry }) => entry)).toEqual([entriesOf([sending])[0]?.name]);
    for (const size of problems(1_001)) expect(size.problems.at(-1)).toContain('bytes are more');
  });

  it('explains its wildcards to cdk-nag, or the check fails', () => {
    const violations = (one: Kind) => {
      const app = new App({ analyticsReporting: false });
      const stack = new Stack(app, 'Explained');
      const deployment = deploymentOf(
        stack,
        readStage(() => undefined),
        namesOf('dev'),
      );
      const grants = grantsFor(uses('smtp'), 'job', { kinds: { smtp: one }, deployment });
      addRole(stack, 'Role', grants, [new LogGroup(stack, 'Logs')], { smtp: one });
      return new AwsSolutionsChecks(app).validateScope(app).violations;
    };
    const { wildcards: _, ...silent } = smtp;
    expect(violations(smtp)).toEqual([]);
    expect(violations(silent)).toHaveLength(1);
  });
});

it('an undeclared kind cannot be used', () => {
  expect(() => usedModes(['table:read', 'smtp'], kinds)).toThrow('smtp');
  expect([...usedModes(['table:read', 'table:write', 'smtp'], known)]).toEqual([
    ['table', new Set(['read', 'write'])],
    ['smtp', new Set()],
  ]);
});
