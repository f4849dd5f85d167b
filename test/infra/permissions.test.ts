import { describe, expect, onTestFinished, test } from 'vitest';
import { queues, schedules } from '#shared/queues/queues.ts';
import type { Key } from '#shared/table/keys.ts';
import { tableSchema } from '#shared/table/schema.ts';
import type { Table } from '#shared/table/table.ts';
import { operations } from '../../functions/catalogue.ts';
import { startWorkspace } from '../support/workspace.ts';
import { copiedJobs, inventedOperations, ofType, type Resource, spelled, synthesize } from './synthesized.ts';

/** Functions have the permissions that their definitions declare, and no others. */

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITE = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];
/** The objects of each mode. */
const OBJECTS: Record<string, { action: string; prefixes: string[] }> = {
  'bucket:write-uploads': { action: 's3:PutObject', prefixes: ['uploads'] },
  'bucket:read-uploads': { action: 's3:GetObject', prefixes: ['uploads'] },
  'bucket:write-mail': { action: 's3:PutObject', prefixes: ['mail', 'bodies', 'files'] },
  'bucket:read-mail': { action: 's3:GetObject', prefixes: ['mail'] },
  'bucket:read-bodies': { action: 's3:GetObject', prefixes: ['bodies'] },
  'bucket:read-files': { action: 's3:GetObject', prefixes: ['files'] },
  'bucket:write-files': { action: 's3:PutObject', prefixes: ['files'] },
  'bucket:read-avatars': { action: 's3:GetObject', prefixes: ['avatars'] },
  'bucket:write-avatars': { action: 's3:PutObject', prefixes: ['avatars'] },
  'bucket:delete-avatars': { action: 's3:DeleteObject', prefixes: ['avatars'] },
  'bucket:write-exports': { action: 's3:PutObject', prefixes: ['exports'] },
  'bucket:read-exports': { action: 's3:GetObject', prefixes: ['exports'] },
  'bucket:delete-uploads': { action: 's3:DeleteObject', prefixes: ['uploads'] },
  'bucket:delete-mail': { action: 's3:DeleteObject', prefixes: ['mail', 'bodies'] },
  'bucket:delete-files': { action: 's3:DeleteObject', prefixes: ['files'] },
  'bucket:erase': {
    action: 's3:DeleteObject',
    prefixes: ['uploads', 'mail', 'bodies', 'files', 'avatars', 'exports'],
  },
};
const EVERY = [
  'logs:CreateLogStream',
  'logs:PutLogEvents',
  'xray:PutTraceSegments',
  'xray:PutTelemetryRecords',
];
const onPartitions = (...patterns: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);
const invented = inventedOperations(205);
const all = [
  { title: 'real catalogue', operations, made: synthesize(operations, { stage: 'prod' }) },
  {
    title: '205 operations and 30 queues',
    operations: invented,
    made: synthesize(invented, { stage: 'prod' }, copiedJobs(30)),
  },
];

function statementsOf(role: Resource | undefined): Statement[] {
  return (role?.Properties.Policies ?? []).flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
  );
}

const resources = ({ Resource }: Statement) => list(Resource).map(spelled);

describe.each(all)('permissions of the $title', ({ operations, made: { api, jobs, sockets } }) => {
  const functionsOf = (resources: Record<string, Resource>) =>
    ofType(resources, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
  const rolesOf = (resources: Record<string, Resource>) => ofType(resources, 'AWS::IAM::Role');
  const functions = functionsOf(api);
  const functionOf = (name: string) =>
    functions.find(({ FunctionName }) => FunctionName === `WorkspaceApi-prod-${name}`);
  const roleOf = (properties: Resource['Properties']) => properties.Role['Fn::GetAtt'][0] as string;
  const granted = (name: string) => statementsOf(api[roleOf(functionOf(name))]);

  test('no action has a wildcard, and only tracing is allowed on every resource', () => {
    const statements = [...rolesOf(api), ...rolesOf(jobs), ...rolesOf(sockets)].flatMap(([, role]) =>
      statementsOf(role),
    );
    expect(statements.length).toBeGreaterThan(10);
    for (const statement of statements) {
      for (const action of list(statement.Action)) expect(action).not.toContain('*');
      if (resources(statement).includes('*'))
        for (const action of list(statement.Action)) expect(action).toMatch(/^xray:/);
    }
  });

  test('each operation may access what it uses, and count the request on the credential', () => {
    for (const { name, definition } of operations) {
      const uses = new Set<string>(definition.uses);
      const reads = uses.has('table:read') || uses.has('table:write');
      const queues = [...uses].filter((use) => use.startsWith('queue:'));
      const objects = [...uses].flatMap((use) => OBJECTS[use]?.action ?? []);
      const wanted = [
        ...EVERY,
        ...(reads ? [...READ, 'dynamodb:Query'] : []),
        ...(uses.has('table:write') ? WRITE : []),
        ...objects,
        ...queues.map(() => 'sqs:SendMessage'),
      ];
      const free = granted(name).filter(({ Condition }) => !Condition);
      expect(free.flatMap(({ Action }) => Action).sort(), name).toEqual(wanted.sort());
      const bound = granted(name).filter(({ Condition }) => Condition);
      const counting = { Action: 'dynamodb:UpdateItem', Condition: onPartitions('KEY#*', 'RATE#*') };
      const reading = {
        Action: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
        Condition: onPartitions('RATE#*', 'ACCOUNT#*', 'SESSIONS#*'),
      };
      const authentication =
        definition.access === 'public' || uses.has('table:write')
          ? []
          : reads
            ? [counting]
            : [counting, reading];
      const opening = { Action: 'dynamodb:PutItem', Condition: onPartitions('SOCKETTICKET#*') };
      const own = uses.has('live:open') ? [opening] : [];
      const sealing = {
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Condition: {
          'ForAnyValue:StringEquals': { 'kms:ResourceAliases': 'alias/WorkspaceApi/prod/sealing' },
        },
      };
      const seals = ['mailboxes', 'mail_providers', 'calendars'].some((use) => uses.has(use));
      expect(bound, name).toMatchObject([...(seals ? [sealing] : []), ...own, ...authentication]);
    }
  });

  test('permissions name the table, its indexes, prefixes of the bucket and single queues', () => {
    const indexes = Object.keys(tableSchema.indexes).join('|');
    const queueNames = ofType(jobs, 'AWS::SQS::Queue').flatMap(([, { Properties }]) =>
      Properties.RedrivePolicy ? Properties.QueueName : [],
    );
    const patterns: Record<string, RegExp> = {
      'dynamodb:DescribeStream': /^<SsmParameterValueWorkspaceApiprodtablestream\w+>$/,
      'dynamodb:ListStreams': /:table\/WorkspaceApi-prod\/stream\/\*$/,
      'execute-api:ManageConnections':
        /:execute-api:.*:<SsmParameterValueWorkspaceApiprodsocketapi\w+>\/prod\/(POST|DELETE)\/@connections\/\*$/,
      dynamodb: new RegExp(`:table/WorkspaceApi-prod(/index/(${indexes}))?$`),
      s3: /:s3:::workspace-api-prod-<AWS::AccountId>-<AWS::Region>\/\w+\/\*$/,
      's3:ListBucket': /:s3:::workspace-api-prod-<AWS::AccountId>-<AWS::Region>$/,
      kms: /:kms:<AWS::Region>:<AWS::AccountId>:key\/\*$/,
      sqs: new RegExp(`^(?:<\\w+Queue\\w+\\.Arn>|.*:(?:${queueNames.join('|')}))$`),
    };
    const statements = [...rolesOf(api), ...rolesOf(jobs), ...rolesOf(sockets)].flatMap(([, role]) =>
      statementsOf(role),
    );
    for (const statement of statements) {
      const [action = ''] = list(statement.Action);
      const pattern = patterns[action] ?? patterns[action.split(':')[0] as string];
      if (pattern) for (const resource of resources(statement)) expect(resource).toMatch(pattern);
    }
  });

  test('only who erases accounts lists the bucket, and reads the table as a whole', () => {
    const may = (action: string) =>
      functionsOf(jobs)
        .filter((each) =>
          statementsOf(jobs[roleOf(each)]).some(({ Action }) => list(Action).includes(action)),
        )
        .map(({ FunctionName }) => FunctionName);
    for (const action of ['s3:ListBucket', 'dynamodb:Scan']) {
      expect(may(action)).toEqual(['WorkspaceApiJobs-prod-erase-accounts']);
      expect(JSON.stringify(api)).not.toContain(action);
    }
  });

  test('objects: those of the modes that are used', () => {
    const objectsOf = (role: Resource | undefined) =>
      statementsOf(role)
        .filter(({ Action }) => list(Action).some((action) => /^s3:(?!ListBucket)/.test(action)))
        .map((statement) => [statement.Action, resources(statement).map((arn) => arn.split(/[:/]/).at(-2))]);
    const wanted = (uses: readonly string[]) =>
      Object.entries(OBJECTS).flatMap(([use, { action, prefixes }]) =>
        uses.includes(use) ? [[action, prefixes]] : [],
      );
    for (const { name, definition } of operations)
      expect(objectsOf(api[roleOf(functionOf(name))]), name).toEqual(wanted(definition.uses));
    for (const [name, { uses }] of Object.entries({ ...queues, ...schedules })) {
      const worker = functionsOf(jobs).find(
        ({ FunctionName }) => FunctionName === `WorkspaceApiJobs-prod-${name}`,
      );
      expect(objectsOf(jobs[roleOf(worker)]), name).toEqual(wanted(uses));
    }
  });

  test('logs go to the groups of the functions that have the role, and no others', () => {
    for (const stack of [api, jobs, sockets])
      for (const [role, sharing] of Map.groupBy(functionsOf(stack), roleOf)) {
        const own = new Set(sharing.map(({ LoggingConfig }) => `<${LoggingConfig.LogGroup.Ref}.Arn>`));
        const logging = statementsOf(stack[role]).filter(({ Action }) =>
          list(Action)[0]?.startsWith('logs:'),
        );
        expect(logging.flatMap(resources).sort()).toEqual([...own].sort());
      }
  });

  test('policies fit a role with the longest names', () => {
    for (const [id, role] of [...rolesOf(api), ...rolesOf(jobs), ...rolesOf(sockets)]) {
      const text = JSON.stringify(statementsOf(role).map((one) => ({ ...one, Resource: resources(one) })));
      const filled = text.replaceAll(/<Logs[^>]*>/g, 'x'.repeat(110)).replaceAll(/<[^>]*>/g, 'x'.repeat(25));
      // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
      expect(filled.length, id).toBeLessThan(10_240);
    }
  });

  test('the gateway may call the functions of operations, not those of jobs', () => {
    const [, role] = ofType(api, 'AWS::IAM::Role').find(([id]) => id.startsWith('InvokeRole')) ?? [];
    const [statement] = statementsOf(role) as [Statement];
    expect(statement.Action).toBe('lambda:InvokeFunction');
    const prefix = spelled(statement.Resource).split(':').at(-1)?.replace('*', '') as string;
    const callable = [...functions, ...functionsOf(jobs)].filter(({ FunctionName }) =>
      FunctionName.startsWith(prefix),
    );
    expect(callable).toHaveLength(operations.length + 1);
  });
});

const { api, jobs } = (all[0] as (typeof all)[number]).made;

/** The actions of single items that `work` needs, as IAM names them, each with the partition of its item. */
async function actionsOf({ client }: Table, work: () => Promise<unknown>): Promise<[string, string][]> {
  const actions: [string, string][] = [];
  const note =
    (next: (args: never) => unknown, { commandName = '' }) =>
    (args: { input: object }) => {
      const {
        Key,
        Item,
        RequestItems = {},
      } = args.input as Record<'Key' | 'Item', Key | undefined> & {
        RequestItems?: Record<string, { Keys: Key[] }>;
      };
      const named = [Key ?? Item ?? Object.values(RequestItems).flatMap(({ Keys }) => Keys)].flat();
      const action = `dynamodb:${commandName.replace(/Command$/, '')}`;
      actions.push(...named.map(({ PK }): [string, string] => [action, PK.replace(/#.*/, '#*')]));
      return next(args as never);
    };
  client.middlewareStack.add(note as never, { step: 'initialize', name: 'note-actions' });
  await work();
  client.middlewareStack.remove('note-actions');
  return actions;
}

test.each(['reader', 'session'] as const)(
  'the function of tickets may do what a request by a %s does',
  async (by) => {
    const workspace = await startWorkspace();
    onTestFinished(() => workspace.stop());
    const actions = await actionsOf(workspace.table, () => workspace.ada[by].createSocketTicket());
    const [, { Properties }] = ofType(api, 'AWS::Lambda::Function').find(
      ([
        ,
        {
          Properties: { FunctionName },
        },
      ]) => FunctionName === 'WorkspaceApi-prod-createSocketTicket',
    ) as [string, Resource];
    const allowed = statementsOf(api[Properties.Role['Fn::GetAtt'][0]]).flatMap(({ Action, Condition }) => {
      const { 'ForAllValues:StringLike': names = {} } = (Condition ?? {}) as Record<string, object>;
      return list(Action).flatMap((action) =>
        Object.values(names)
          .flat()
          .map((name) => [action, name]),
      );
    });
    expect(actions.length).toBeGreaterThan(5);
    for (const action of actions) expect(allowed).toContainEqual(action);
  },
);

test('a job receives from its own queue, or from the stream, only', () => {
  for (const [, { Properties }] of ofType(jobs, 'AWS::Lambda::EventSourceMapping')) {
    const role = jobs[Properties.FunctionName.Ref]?.Properties.Role['Fn::GetAtt'][0];
    const receiving = statementsOf(jobs[role]).filter(({ Action }) =>
      list(Action).some((action) => ['sqs:ReceiveMessage', 'dynamodb:GetRecords'].includes(action)),
    );
    expect(receiving.map(({ Resource }) => Resource)).toEqual([Properties.EventSourceArn]);
  }
});

test('only consumers that set the delay of a failed message may change its visibility', () => {
  const changing = ofType(jobs, 'AWS::IAM::Role').filter(([, role]) =>
    statementsOf(role).some(({ Action }) => list(Action).includes('sqs:ChangeMessageVisibility')),
  );
  const waiting = Object.entries(queues).flatMap(([name, queue]) => ('waits' in queue ? name : []));
  expect(changing).toHaveLength(waiting.length);
  for (const name of waiting)
    expect(changing.map(([id]) => id.toLowerCase())).toContainEqual(
      expect.stringMatching(new RegExp(`^${name.replaceAll('-', '')}role`)),
    );
});
